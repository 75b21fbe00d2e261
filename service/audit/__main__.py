"""The command line: `python -m service.audit`."""

import sys

import structlog

from service.audit.command_line import main

structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))  # standard output is for what was asked
sys.exit(main(sys.argv[1:]))
