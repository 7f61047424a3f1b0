// SPDX-License-Identifier: MIT
print("not yet")
