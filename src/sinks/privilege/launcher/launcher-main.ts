// The launcher: a process that applies kernel settings of the manifest to itself and then executes the
// service's program. Its last inherited descriptor is the channel to the supervisor, which closes at the
// exec. The descriptors before it are for the program. Nothing here prints, since standard output belongs to
// the service.
import { openLibc } from '../../../os/libc/libc.ts';
import { keepDebuggerClosed } from '../../../os/early-signals.ts';
import { channelAfter, channelOver, handedOn, softFilesIn } from './launcher-protocol.ts';
import { launchOneself } from './run-launcher.ts';
import { isTemplate, serve } from './launcher-template.ts';
import { isInside } from './enter-namespace.ts';

const NOT_LAUNCHED = 127;

keepDebuggerClosed(process);
const opened = openLibc();
if (isTemplate(process.argv)) {
  if (opened.tag === 'open') serve(opened.libc);
} else {
  const handed = handedOn(process.argv);
  const channel = channelOver(channelAfter(handed));
  if (opened.tag === 'absent') channel.report({ tag: 'helpless', detail: opened.detail });
  else {
    if (isInside(process.argv)) channel.report({ tag: 'next', inside: true });
    launchOneself(opened.libc, {
      ...{ channel, handed, marks: process.env },
      softFiles: softFilesIn(process.argv),
    });
  }
}
process.exit(NOT_LAUNCHED);
