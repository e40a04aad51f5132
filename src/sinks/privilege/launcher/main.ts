// The launcher: a process that does to itself what the manifest asks of the kernel, and then becomes the service. It has
// one descriptor to the supervisor, which closes when the program begins; those before it are the program's own sockets.
// Nothing here prints: standard output is the service's.
import { bearBirthmark } from '../../../os/children/birthmark.ts';
import { openLibc, type Libc } from '../../../os/libc.ts';
import { execute } from '../../../os/libc/exec.ts';
import type { LaunchedProgram } from '../../../streams/launch/order.ts';
import { channelAfter, channelOver, handedOn } from './channel.ts';
import { launch } from './launch.ts';
import { perform } from './perform.ts';
import { readyForExec } from './ready-for-exec.ts';
import { softFilesIn } from './soft-files.ts';

const NOT_LAUNCHED = 127;

const handed = handedOn(process.argv);

/** Whom the sockets are for is known here: the pid stays. */
const listening = ({ argv, environment }: LaunchedProgram): LaunchedProgram => ({
  argv,
  environment: handed === 0 ? environment : { ...environment, LISTEN_PID: String(process.pid) },
});

/** The program is looked for where the service will look for programs. */
const become = (libc: Libc, program: LaunchedProgram): never => {
  const { PATH } = program.environment;
  if (PATH === undefined) delete process.env['PATH'];
  else process.env['PATH'] = PATH;
  softFiles.restore(libc);
  readyForExec(libc, handed);
  return execute(libc, listening(program));
};

const softFiles = softFilesIn(process.argv);
const channel = channelOver(channelAfter(handed));
const opened = openLibc();
if (opened.tag === 'absent') channel.report({ tag: 'helpless', detail: opened.detail });
else {
  const { libc } = opened;
  bearBirthmark(libc, process.env);
  launch({
    channel,
    perform: (step) => {
      softFiles.before(libc, step);
      return perform(libc, step);
    },
    become: (program) => become(libc, program),
  });
}
process.exit(NOT_LAUNCHED);
