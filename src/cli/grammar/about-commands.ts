// Commands about `sup` itself and the machine. They change no service.
import { SELECTING, SERVICES, type CommandFacts } from './command-facts.ts';

export const ABOUT_SUP = {
  event: {
    summary: 'From within a service: record an event of its own',
    options: ['level', 'data'],
    repeats: ['data'],
    operand: { name: 'text', required: true, describe: 'What happened', missing: 'sup event "cache warmed"' },
    examples: [
      ['sup event "cache warmed"', 'Shown by sup events'],
      ['sup event "queue is long" --level warning --data length=512', 'With data'],
    ],
  },
  boot: {
    summary: 'Have the supervisor start with the machine',
    options: ['init', 'yes', 'dry-run', 'sys'],
    operand: {
      name: 'action',
      required: true,
      describe: 'install, remove or status',
      missing: 'sup boot install',
    },
    examples: [
      ['sup boot install', 'Shows the entry for this user, and asks'],
      ['sup boot install --sys --yes', 'For the machine, without a question'],
      ['sup boot status', 'Exits with 0 if it starts with the machine'],
    ],
  },
  doctor: {
    summary: 'Look at the machine and the supervisor, and say what could be better',
    options: ['sys'],
    examples: [
      ['sup doctor', 'Exit status 0 all is well, 1 warnings, 2 something is wrong'],
      ['sup doctor --sys --json', 'Of the privileged supervisor; the document sup.doctor/1'],
    ],
  },
  security: {
    summary: 'Say how open services are, from 0 (closed) to 10 (open), and what closes them',
    options: [...SELECTING, 'profile', 'threshold'],
    repeats: ['config'],
    operand: SERVICES,
    examples: [
      ['sup security', 'One line a service, then what is open around the supervisor'],
      ['sup security shop/web', 'What is open, and the line of the manifest that closes it; -v all checks'],
      ['sup security -c sup.yaml --threshold 4', 'Of a manifest, in CI: exit status 1 if a score is above 4'],
      ['sup security --json', 'The document sup.security/1'],
    ],
  },
  mcp: {
    summary: 'Serve agents: the Model Context Protocol on standard input and output',
    options: ['allow', 'sys'],
    repeats: ['allow'],
    examples: [
      ['sup mcp', 'Read-only: status, why, events, logs, inspect, plan, metrics'],
      ["sup mcp --allow 'restart:shop/*'", 'May also restart the services of the project shop'],
      ["sup mcp --allow 'restart:shop/*' --allow 'apply:shop/*'", 'May also apply plans that it has shown'],
    ],
  },
  dashboard: {
    summary: 'Serve a page that shows all services live, on this machine',
    options: ['port', 'address', 'tls-cert', 'tls-key', 'unix', 'allow-actions', 'sys'],
    examples: [
      ['sup dashboard', 'Prints the URL of the page; until Ctrl-C'],
      ['sup dashboard --allow-actions', 'The page can also start, stop, restart, scale and apply'],
      ['sup dashboard --unix /run/user/1000/sup-dashboard.sock', 'For a port that ssh forwards'],
    ],
  },
  version: {
    summary: 'Show the versions of sup and of the running supervisor',
    options: ['sys'],
    examples: [['sup version --json', 'The document sup.version/1']],
  },
  completion: {
    summary: 'Print a completion script for the shell',
    options: [],
    operand: { name: 'shell', describe: 'bash, zsh or fish; guessed from $SHELL' },
    examples: [
      ['source <(sup completion bash)', 'For this bash'],
      ['sup completion zsh > "${fpath[1]}/_sup"', 'For every zsh'],
      ['sup completion fish > ~/.config/fish/completions/sup.fish', 'For every fish'],
    ],
  },
  help: {
    summary: 'Show the help page of a command',
    options: [],
    operand: { name: 'command', describe: 'Of the program unless given' },
    examples: [['sup help restart', 'The same as sup restart --help']],
  },
} as const satisfies Readonly<Record<string, CommandFacts>>;
