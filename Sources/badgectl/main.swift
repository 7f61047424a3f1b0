// SPDX-License-Identifier: MIT
import BadgeCommand

Badgectl.main()
