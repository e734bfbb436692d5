#!/bin/sh
# Firefox without the variable of Playwright that ends the browser when the process of a tab ends. FIREFOX_PROGRAM is the path.
unset MOZ_CRASHREPORTER_SHUTDOWN
exec "$FIREFOX_PROGRAM" "$@"
