// SPDX-License-Identifier: MIT
import BadgeCommand
import Glibc

exit(Badgectl.main())
