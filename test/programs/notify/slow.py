# Takes SECONDS to become ready and asks for more time meanwhile, or else stops asking: argv is SECONDS ready|silent.
import sys, time
import sdnotify

notifier = sdnotify.SystemdNotifier()
seconds, then = float(sys.argv[1]), sys.argv[2]
until = time.monotonic() + seconds
while time.monotonic() < until:
    notifier.notify("EXTEND_TIMEOUT_USEC=2000000\nSTATUS=Migrating")
    time.sleep(0.2)
if then == "ready":
    notifier.notify("READY=1\nSTATUS=Migrated")
while True:
    time.sleep(0.2)
    notifier.notify("WATCHDOG=1")
