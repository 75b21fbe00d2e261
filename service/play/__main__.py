"""Play on its own: `python -m service.play`."""

import sys

from service.play import main

sys.exit(main(sys.argv[1:]))
