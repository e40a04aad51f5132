// The supervisor's program, as its guardian, an upgrade or `sup supervise` starts it.
import { hearEarly, keepDebuggerClosed } from '../../os/early-signals.ts';
import { fingerprintOf } from './program-files.ts';
import { runProgram } from './run-program.ts';

keepDebuggerClosed(process);
// A trial is ended by its parent.
if (!process.argv.includes('--trial')) hearEarly(process, process.argv);
const script = import.meta.filename;
// Taken before the text is read, so that a replacement in between is detected.
runProgram(script, fingerprintOf(script));
