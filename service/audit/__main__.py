"""The command line: `python -m service.audit`."""

import sys

from service.audit.command_line import main

sys.exit(main(sys.argv[1:]))
