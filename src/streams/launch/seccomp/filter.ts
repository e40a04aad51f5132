// A seccomp object → the program the kernel runs at each system call. Calls of another machine's kind (32 bits, x32) are
// denied whatever they are: their numbers would mean something else.
import type { SeccompSpec } from '../../domain/declared/spec.ts';
import { BASELINE, BASELINE_ABSENT, NAMESPACE_FLAGS } from './baseline.ts';
import {
  ARCHITECTURE_AT,
  CALL_AT,
  FIRST_ARGUMENT_AT,
  give,
  ifAnyOf,
  ifAtLeast,
  ifEqual,
  load,
  RETURN,
  type Instruction,
} from './bpf.ts';
import { callNumber, type Architecture } from './calls.ts';

const MACHINES: Readonly<Record<Architecture, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };
/** Numbers from here on are calls of x32. */
const X32 = 0x4000_0000;
const EPERM = 1;
const ENOSYS = 38;

const ACTIONS: Readonly<Record<SeccompSpec['action'], number>> = {
  errno: RETURN.errno(EPERM),
  kill: RETURN.kill,
  log: RETURN.log,
};

const thisMachineOnly = (architecture: Architecture, denial: number): readonly Instruction[] => [
  load(ARCHITECTURE_AT),
  ifEqual(MACHINES[architecture], [1, 0]),
  give(denial),
  load(CALL_AT),
  ifAtLeast(X32, [0, 1]),
  give(denial),
];

const deny = (call: number, answer: number): readonly Instruction[] => [ifEqual(call, [0, 1]), give(answer)];

/** The last of the tests: it reads over the number of the call. */
const denyNamespaces = (clone: number, answer: number): readonly Instruction[] => [
  ifEqual(clone, [0, 3]),
  load(FIRST_ARGUMENT_AT),
  ifAnyOf(NAMESPACE_FLAGS, [0, 1]),
  give(answer),
];

interface Names {
  readonly denied: readonly string[];
  readonly absent: readonly string[];
  readonly namespaces: boolean;
}

const namesOf = ({ profile, allow, deny: named }: SeccompSpec): Names => {
  const base = profile === 'baseline';
  const stays = (name: string): boolean => !allow.includes(name) && !named.includes(name);
  return {
    denied: [...(base ? BASELINE.filter(stays) : []), ...named],
    absent: base ? BASELINE_ABSENT.filter(stays) : [],
    namespaces: base && !allow.includes('clone') && !named.includes('clone'),
  };
};

/** What names both `allow` and `deny` is denied. */
export const filterProgram = (seccomp: SeccompSpec, architecture: Architecture): readonly Instruction[] => {
  const answer = ACTIONS[seccomp.action];
  const { denied, absent, namespaces } = namesOf(seccomp);
  const numbers = (names: readonly string[]): readonly number[] =>
    names.flatMap((name) => callNumber(name, architecture) ?? []);
  return [
    ...thisMachineOnly(architecture, answer),
    ...numbers(denied).flatMap((call) => deny(call, answer)),
    ...numbers(absent).flatMap((call) => deny(call, RETURN.errno(ENOSYS))),
    ...(namespaces ? numbers(['clone']).flatMap((clone) => denyNamespaces(clone, answer)) : []),
    give(RETURN.allow),
  ];
};
