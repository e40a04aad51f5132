// The program of the supervisor. A guardian, an upgrade or `sup supervise` starts it.
import { recordEarlySignals, keepDebuggerClosed } from '../../os/early-signals.ts';
import { fingerprintOf } from './program-files.ts';
import { type Load, runOrReport, runProgram } from './run-program.ts';

/** The `require` of Node, which exists because the build makes a CommonJS module of this file. */
declare const require: Load;

keepDebuggerClosed(process);
// The trial of an upgrade needs no signal handlers: its parent kills it.
if (!process.argv.includes('--trial')) recordEarlySignals(process, process.argv);
const script = import.meta.filename;
// The fingerprint is taken before the text is read. If the files are replaced between the two, this is
// noticed.
runOrReport(() => runProgram(script, require, fingerprintOf(script)));
