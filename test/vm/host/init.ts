// What the machine's first process is: a shell that mounts what belongs there, and then either runs the checks, or becomes
// the supervisor while the checks look on.
import { dirname } from 'node:path';

/** For the checks of process 1: `web` needs `db`, both say on the console when they are asked to stop. */
export const SUPERVISE = `version: "3"
services:
  db:
    command: "trap 'echo vm: db stops > /dev/console; exit 0' TERM; while :; do sleep 0.2; done"
  web:
    depends_on: [db]
    command: "trap 'echo vm: web stops > /dev/console; exit 0' TERM; while :; do sleep 0.2; done"
`;

export const INIT = `#!/bin/sh
export PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:${dirname(process.execPath)} HOME=/root
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mount -t tmpfs tmpfs /tmp
mount -t tmpfs tmpfs /run
echo 1 > /proc/sys/kernel/sysrq
read -r line < /proc/cmdline
for word in $line; do case $word in sup.scene=*) scene=\${word#sup.scene=};; esac; done
if [ "$scene" = process-1 ]; then
  node /vm/checks.mjs process-1 &
  exec node /opt/sup/dist/sup.js supervise --sys -c /etc/sup/vm.yaml 2> /run/supervisor.log
fi
node /vm/checks.mjs "$scene"
echo b > /proc/sysrq-trigger
`;
