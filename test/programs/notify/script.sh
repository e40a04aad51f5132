# Reports itself by systemd-notify, which waits for the answer to its BARRIER=1 and fails without it.
set -e
systemd-notify --status=Loading
while ! [ -e "$1.go" ]; do sleep 0.1; done
systemd-notify --ready --status="Serving"
exec sleep 1000
