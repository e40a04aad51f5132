// The lint rules of the house: docs/architecture.md says which folder may import what; here it is enforced.
import eslint from '@eslint/js';
import rxjsX from 'eslint-plugin-rxjs-x';
import tseslint from 'typescript-eslint';

const PAGE = 'dashboard/page';

/** Packages that may stand in one folder only: [pattern of files that may, package]. */
const HOMES = {
  yargs: 'cli',
  ws: 'the two control folders, client and dashboard',
  winston: 'sinks/logs',
  'winston-daily-rotate-file': 'sinks/logs',
  pidusage: 'sources/metrics',
  'ffi-napi': 'os/libc.ts',
  yaml: 'manifest and cli/adhoc.ts',
  'fast-xml-parser': 'manifest/settings',
  'cron-parser': 'streams/cron',
  re2js: 'streams/output',
  preact: PAGE,
  'preact/hooks': PAGE,
  uplot: PAGE,
  anser: PAGE,
};

const packagesBut = (...allowed) => ({
  paths: Object.entries(HOMES)
    .filter(([name]) => !allowed.includes(name))
    .map(([name, home]) => ({ name, message: `${name} lives in ${home}` })),
});

const restricted = (packages, ...patterns) => ({
  'no-restricted-imports': ['error', { ...packages, patterns }],
});

const NO_CLI = { group: ['**/cli/**'], message: 'only cli imports cli' };
const NO_SUPERVISOR = {
  group: ['**/supervisor/**'],
  message: 'only cli imports the supervisor, by its index and its loader',
};
const NO_MANIFEST = { group: ['**/manifest/**'], message: 'only supervisor, client and cli import manifest' };
const NO_MCP = { group: ['**/mcp/**'], message: 'only cli imports the server for agents' };
const NO_CLIENT = { group: ['**/client/**'], message: 'only cli imports the client' };
const NO_DASHBOARD = { group: ['**/dashboard/**'], message: 'only cli imports the dashboard' };
const NO_EXCHANGE = { group: ['**/exchange/**'], message: 'only cli imports import and export' };
const NO_PROGRAM = [NO_CLI, NO_CLIENT, NO_DASHBOARD, NO_EXCHANGE, NO_MCP, NO_SUPERVISOR];
const SUPERVISOR_INDEX = {
  regex: 'supervisor/(?!index\\.ts$|loader/)',
  message: 'cli takes of the supervisor what its index exports, and its loader',
};
const NO_SOURCES = {
  group: ['**/sources/**'],
  message: 'sources meet sinks at a port of streams/domain/ports.ts',
};
const NO_SINKS = {
  group: ['**/sinks/**'],
  message: 'sinks meet sources at a port of streams/domain/ports.ts',
};
const NO_OS = { group: ['**/os/**'], message: 'streams decide; the machine stays outside' };
const DOMAIN_ONLY = {
  regex: 'streams/(?!domain/)',
  message: 'the ground floor knows the words of streams/domain and nothing else',
};
const NO_NODE = { group: ['node:*'], message: 'streams decide; the world stays outside' };
const NO_VIEWS = { group: ['**/views/**'], message: 'what decides hands out facts; views word them' };

/** What the files of each room may not import. */
const PURE = [NO_NODE, NO_OS, NO_MANIFEST, NO_SOURCES, NO_SINKS, ...NO_PROGRAM];
const DECIDING = [...PURE, NO_VIEWS];
const GROUND = [DOMAIN_ONLY, NO_MANIFEST, NO_SOURCES, NO_SINKS, ...NO_PROGRAM];
const LIBRARY = [NO_SOURCES, NO_SINKS, ...NO_PROGRAM];
const OBSERVING = [NO_MANIFEST, NO_SINKS, ...NO_PROGRAM];
const ACTING = [NO_MANIFEST, NO_SOURCES, ...NO_PROGRAM];
const ASKING = [NO_SINKS, NO_CLI, NO_DASHBOARD, NO_EXCHANGE, NO_MCP, NO_SUPERVISOR];
const TRANSLATING = [NO_SOURCES, NO_SINKS, NO_CLI, NO_CLIENT, NO_DASHBOARD, NO_MCP, NO_SUPERVISOR];
const SERVING = [NO_EXCHANGE, NO_MANIFEST, NO_SOURCES, NO_SINKS, NO_CLI, NO_MCP, NO_SUPERVISOR];
/** The page runs in a browser. Of the server it takes the messages, and what both make of an event. */
const SHOWING = [
  ...[NO_NODE, NO_OS, NO_MANIFEST, NO_SOURCES, NO_SINKS, NO_CLI, NO_CLIENT, NO_MCP, NO_SUPERVISOR],
  { regex: '^(\\.\\./)+(answers|http|live|pages|serve-dashboard)', message: 'the page takes messages only' },
];
const ANSWERING = [
  NO_EXCHANGE,
  NO_OS,
  NO_MANIFEST,
  NO_SOURCES,
  NO_SINKS,
  NO_CLI,
  NO_DASHBOARD,
  NO_SUPERVISOR,
];

const bannedCalls = [
  {
    selector: "CallExpression[callee.name='combineLatest']",
    message: 'a combineLatest diamond shows states that never were',
  },
  {
    selector: "CallExpression[callee.name='shareReplay']",
    message: 'use latest(), which has the reset rules we mean',
  },
  {
    selector: "NewExpression[callee.name='BehaviorSubject']",
    message: 'a second truth: derive it from state$',
  },
  {
    selector: "CallExpression[callee.name='withLatestFrom']",
    message: 'a stale join: carry { event, state, effects } in one Step',
  },
];
const bannedClock = [
  {
    selector: "MemberExpression[object.name='Date'][property.name='now']",
    message: 'time arrives in events',
  },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'time arrives in events' },
  { selector: 'AwaitExpression', message: 'no promise lives in virtual time' },
];

export default tseslint.config(
  {
    ignores: [
      'dist',
      '.tsbuild',
      'node_modules',
      'coverage',
      '.vm',
      'mutation/.tmp',
      'site/.pages',
      'site/.vitepress/cache',
      'examples',
      'test/fixtures/manifests',
      'test/corpus',
    ],
  },
  eslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked, rxjsX.configs.strict],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './src/streams/tsconfig.json', './src/dashboard/page/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-non-null-assertion': 'error',
      'rxjs-x/finnish': [
        'error',
        { functions: false, methods: false, types: { '^(Sink|Source|Work)$': false } },
      ],
      'rxjs-x/prefer-observer': 'off',
      complexity: ['error', { max: 8, variant: 'modified' }],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      'max-depth': ['error', 3],
      'max-lines': ['error', { max: 300, skipBlankLines: false }],
      'max-lines-per-function': ['error', 40],
      'max-params': ['error', 3],
      'no-restricted-syntax': ['error', ...bannedCalls],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
    },
  },
  {
    files: ['src/streams/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...bannedCalls, ...bannedClock],
      ...restricted(packagesBut(), ...DECIDING),
    },
  },
  { files: ['src/streams/cron/**'], rules: restricted(packagesBut('cron-parser'), ...DECIDING) },
  { files: ['src/streams/output/**'], rules: restricted(packagesBut('re2js'), ...DECIDING) },
  { files: ['src/streams/views/**'], rules: restricted(packagesBut(), ...PURE) },
  { files: ['src/os/**/*.ts'], rules: restricted(packagesBut(), ...GROUND) },
  { files: ['src/os/libc/libc.ts'], rules: restricted(packagesBut('ffi-napi'), ...GROUND) },
  { files: ['src/manifest/**'], rules: restricted(packagesBut('yaml'), ...LIBRARY) },
  { files: ['src/manifest/settings/**'], rules: restricted(packagesBut('fast-xml-parser'), ...LIBRARY) },
  { files: ['src/sources/**/*.ts'], rules: restricted(packagesBut(), ...OBSERVING) },
  { files: ['src/sources/control/**'], rules: restricted(packagesBut('ws'), ...OBSERVING) },
  { files: ['src/sources/metrics/**'], rules: restricted(packagesBut('pidusage'), ...OBSERVING) },
  { files: ['src/sinks/**/*.ts'], rules: restricted(packagesBut(), ...ACTING) },
  {
    files: ['src/sinks/logs/**'],
    rules: restricted(packagesBut('winston', 'winston-daily-rotate-file'), ...ACTING),
  },
  { files: ['src/sinks/control/**'], rules: restricted(packagesBut('ws'), ...ACTING) },
  {
    files: ['src/supervisor/**/*.ts'],
    rules: restricted(packagesBut(), NO_CLI, NO_CLIENT, NO_DASHBOARD, NO_EXCHANGE, NO_MCP),
  },
  { files: ['src/client/**/*.ts'], rules: restricted(packagesBut('ws'), ...ASKING) },
  { files: ['src/dashboard/**/*.ts'], rules: restricted(packagesBut('ws'), ...SERVING) },
  {
    files: ['src/dashboard/page/**/*.{ts,tsx}'],
    rules: restricted(packagesBut('preact', 'preact/hooks', 'uplot', 'anser'), ...SHOWING),
  },
  { files: ['src/exchange/**/*.ts'], rules: restricted(packagesBut('yaml'), ...TRANSLATING) },
  { files: ['src/mcp/**/*.ts'], rules: restricted(packagesBut(), ...ANSWERING) },
  { files: ['src/cli/**/*.ts'], rules: restricted(packagesBut('yargs', 'yaml'), SUPERVISOR_INDEX) },
  {
    files: ['test/**/*.ts'],
    rules: { 'max-lines-per-function': 'off', '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'URL',
          'performance',
          'setTimeout',
          'setInterval',
          'clearInterval',
          'Buffer',
          'fetch',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
);
