// SPDX-License-Identifier: MIT
import Glibc

exit(Program.run(CommandLine.arguments))
