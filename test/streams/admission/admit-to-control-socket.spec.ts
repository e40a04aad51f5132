import { describe, expect, it } from 'vitest';
import {
  type AdmissionFacts,
  admit,
  type Caller,
  type Link,
  type Restrictions,
} from '../../../src/streams/admission/admit-to-control-socket.ts';
import type { IsolationSpec, Privilege, ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import { freshService, type Service } from '../../../src/streams/domain/service/service.ts';
import { PROCESS, STATES } from '../../support/states.ts';
import { idOf, specOf } from '../../support/spec.ts';

const FREE: Restrictions = {
  noNewPrivileges: false,
  seccomp: false,
  fewerCapabilities: false,
  otherNamespace: false,
};
const OWN = { uid: 0, name: 'root' };

const up = (spec: ServiceSpec): Service => ({ ...freshService(spec), actual: STATES.up });
const privileged = (privilege: Partial<Privilege>, more: Partial<ServiceSpec> = {}): Service =>
  up(specOf('web', { privilege: { supplementaryGroups: [], ...privilege }, ...more }));

const isolated = (changes: Partial<IsolationSpec>): Partial<Privilege> => ({
  isolation: {
    ...{ network: false, mount: false, pid: false, user: false, privateDevices: false, privateTmp: false },
    ...changes,
  },
});
const SECCOMP = isolated({ seccomp: { profile: 'baseline', allow: [], deny: [], action: 'errno' } });

const stranger: Link = { pid: 900, startTicks: 9000, session: 900, group: 900 };
const leader: Link = { ...PROCESS, session: PROCESS.pid, group: PROCESS.pid };

const caller = (line: readonly Link[], more: Partial<Extract<Caller, { tag: 'known' }>> = {}): Caller => ({
  tag: 'known',
  line,
  isBelowSupervisor: false,
  restrictions: FREE,
  ...more,
});

const facts = (...services: readonly Service[]): AdmissionFacts => ({
  services,
  own: OWN,
  namedBy: ({ mark = '', tag = '' }) => [mark, tag].map((text) => text.replace(/#.*/, '')),
});

const tagOf = (who: Caller, ...services: readonly Service[]): string => admit(who, facts(...services)).tag;

describe('admission without a confined service', () => {
  it.each<[string, Caller]>([
    ['a process of an unconfined service', caller([leader])],
    ['a process that cannot be identified', { tag: 'unknown', detail: 'gone' }],
    ['a restricted process', caller([stranger], { restrictions: { ...FREE, otherNamespace: true } })],
  ])('%s is admitted without a confined service', (_, who) => {
    expect(tagOf(who, privileged({}), privileged({ limits: { nofile: 10 } }))).toBe('whole');
    expect(tagOf(who, privileged({ user: 'root' }))).toBe('whole');
    expect(tagOf(who, privileged(SECCOMP, { control: true }))).toBe('whole');
  });
});

describe('admission of a process of a confined service', () => {
  const web = privileged(SECCOMP);
  it.each<[string, Link]>([
    ['its leader', leader],
    ['a process in its session', { ...stranger, session: PROCESS.pid }],
    ['a process in its group', { ...stranger, group: PROCESS.pid }],
    ['a process with its mark', { ...stranger, mark: `${idOf('web')}#3` }],
    [
      'a process with its rlimit tag and the mark of another service',
      { ...stranger, mark: 'a/b#1', tag: `${idOf('web')}#3` },
    ],
  ])('a process of a confined service is refused as %s', (_, link) => {
    expect(tagOf(caller([link]), web)).toBe('refused');
    expect(tagOf(caller([stranger, link]), web)).toBe('refused');
  });

  it.each<[string, Partial<Privilege>]>([
    ['another user', { user: 'www-data' }],
    ['capabilities', { capabilities: [] }],
    ['isolation', SECCOMP],
  ])('a process of a confined service is refused if %s is declared', (_, privilege) => {
    expect(tagOf(caller([leader]), privileged(privilege))).toBe('refused');
  });

  it('a process of a confined dynamic service may request children', () => {
    const spawn = { ...specOf('web').spawn, mode: 'dynamic' } as const;
    expect(tagOf(caller([leader]), privileged(SECCOMP, { spawn }))).toBe('narrow');
  });

  it('a process of a restricted service is admitted if control: true is declared', () => {
    const restrictions = { ...FREE, seccomp: true, noNewPrivileges: true };
    const other = up(specOf('db', { privilege: web.spec.privilege }));
    const second: Service = { ...other, actual: { ...STATES.up, process: { pid: 500, startTicks: 5000 } } };
    const trusted = privileged(SECCOMP, { control: true });
    expect(tagOf(caller([leader], { restrictions }), trusted, second)).toBe('whole');
  });
});

describe('admission beside a confined service', () => {
  const web = privileged(SECCOMP);

  it('a process without relation to a confined service is admitted', () => {
    expect(tagOf(caller([stranger]), web)).toBe('whole');
  });

  it('an unidentified process is refused beside a confined service, unless the system cannot identify any', () => {
    expect(tagOf({ tag: 'unknown', detail: 'gone' }, web)).toBe('refused');
    expect(tagOf(caller([]), web)).toBe('refused');
    expect(tagOf({ tag: 'unasked' }, web)).toBe('whole');
  });

  it.each<[keyof Restrictions, Partial<Privilege>]>([
    ['noNewPrivileges', SECCOMP],
    ['noNewPrivileges', isolated({ noNewPrivs: true })],
    ['noNewPrivileges', isolated({ ports: { bind: [] } })],
    ['seccomp', SECCOMP],
    ['seccomp', isolated({ addressFamilies: [] })],
    ['fewerCapabilities', { capabilities: [] }],
    ['otherNamespace', { user: 'www-data' }],
  ])('a process with %s is refused if a declaration has that effect', (name, privilege) => {
    const who = caller([stranger], { restrictions: { ...FREE, [name]: true } });
    expect(tagOf(who, privileged(privilege))).toBe('refused');
    if (name !== 'otherNamespace') expect(tagOf(who, privileged({ user: 'www-data' }))).toBe('whole');
  });

  it('a process below the supervisor without a run tag is refused beside a confined service', () => {
    expect(tagOf(caller([stranger], { isBelowSupervisor: true }), web)).toBe('refused');
    expect(tagOf(caller([{ ...stranger, mark: 'shop/db#1' }], { isBelowSupervisor: true }), web)).toBe(
      'whole',
    );
  });

  it('a restricted process of an unconfined service is admitted beside a confined service', () => {
    const db: Service = {
      ...up(specOf('db')),
      actual: { ...STATES.up, process: { pid: 500, startTicks: 5000 } },
    };
    const link = { pid: 501, startTicks: 5001, session: 500, group: 500 };
    const restrictions = { ...FREE, noNewPrivileges: true };
    expect(tagOf(caller([link], { restrictions, isBelowSupervisor: true }), web, db)).toBe('whole');
  });
});
