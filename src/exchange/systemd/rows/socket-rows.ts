// Table rows that translate the settings of systemd's socket units to `sockets` of the service that gets
// them.
import { linesOf, lostRow, unneededRow, type UnitContext, type UnitRow } from '../unit-context.ts';
import { isNo, isYes } from '../unit-values.ts';
import { remarks, type Plain, type Setting, type Translation } from '../../key-table.ts';

/** Returns the address for a manifest; `undefined` if `sup` cannot hold such a socket. */
const listenOf = (address: string): Plain | undefined => {
  if (/^\d+$/.test(address)) return Number(address);
  if (/^(?:\d+\.){3}\d+:\d+$/.test(address) || /^\[[0-9A-Fa-f:.]+\]:\d+$/.test(address)) return address;
  return address.startsWith('/') ? address : undefined;
};

/** systemd's default for the backlog. Linux reduces it to `net.core.somaxconn`. */
const BACKLOG = 4096;

const backlogOf = ({ value }: UnitContext): number => {
  const given = Number(value('Backlog') ?? BACKLOG);
  return Number.isInteger(given) && given > 0 && given < 2 ** 31 ? given : BACKLOG;
};

const WHICH_SOCKETS = 'sup holds sockets of TCP at an address, and of Unix at a path';

const streams = (setting: Setting, context: UnitContext): Translation => {
  const { unit, value } = context;
  const name = value('FileDescriptorName') ?? unit.name.full;
  const usable = linesOf(setting).filter((address) => listenOf(address) !== undefined);
  const others = linesOf(setting).filter((address) => listenOf(address) === undefined);
  const sockets = usable.map((address, at) => ({
    name: at === 0 ? name : `${name}-${at + 1}`,
    listen: listenOf(address) ?? '',
    backlog: backlogOf(context),
  }));
  const changes = [
    usable.length > 1 &&
      `each socket has a name of its own: ${sockets.map((socket) => socket.name).join(', ')}`,
    usable.some((address) => /^\d+$/.test(address)) &&
      'a port alone is one of IPv4; [::]:PORT listens for both',
  ].filter((each) => each !== false);
  return {
    ...(sockets.length > 0 && { keys: { sockets } }),
    ...remarks(changes, others.length > 0 ? [`${others.join(', ')}: ${WHICH_SOCKETS}`] : []),
  };
};

export const SOCKET_ROWS: readonly UnitRow[] = [
  {
    theirs: 'ListenStream',
    ours: ['sockets'],
    note: 'A port, an address with a port, or a path. The service is started at once, not at the first connection. The export writes a socket unit for each socket.',
    read: streams,
    // The export writes a unit for each socket. So this row writes nothing into the unit of the service.
    write: () => ({}),
  },
  unneededRow('Backlog FileDescriptorName Service', 'Is used for `sockets`.'),
  lostRow(
    'ListenDatagram ListenSequentialPacket ListenFIFO ListenNetlink ListenSpecial ListenMessageQueue ListenUSBFunction SocketProtocol',
    'sup holds only sockets that accept connections (streams)',
  ),
  lostRow(
    'Accept',
    'a service accepts its connections itself; sup starts no process for each',
    (value) => !isYes(value),
  ),
  lostRow(
    'SocketUser SocketGroup SocketMode DirectoryMode',
    'the socket belongs to the supervisor; see the page about held sockets for its mode',
    (value) => value === '0666',
  ),
  lostRow(
    'BindIPv6Only',
    'an address of IPv6 listens as the kernel is set',
    (value) => value === 'default' || value === 'both',
  ),
  lostRow(
    'MaxConnections MaxConnectionsPerSource TriggerLimitIntervalSec TriggerLimitBurst FlushPending',
    'the service decides which connections it accepts',
  ),
  lostRow(
    'BindToDevice KeepAlive KeepAliveTimeSec KeepAliveIntervalSec KeepAliveProbes DeferAcceptSec NoDelay Priority ReceiveBuffer SendBuffer IPTOS IPTTL Mark PipeSize FreeBind Transparent Broadcast PassCredentials PassSecurity PassPacketInfo Timestamping TCPCongestion ReusePort MessageQueueMaxMessages MessageQueueMessageSize Writable SmackLabel SmackLabelIPIn SmackLabelIPOut SELinuxContextFromNet',
    'the socket has the options of the kernel; the service can set others',
    isNo,
  ),
  lostRow('RemoveOnStop Symlinks', 'sup makes and removes the path of the socket', isNo),
  lostRow(
    'ExecStartPre ExecStartPost ExecStopPre ExecStopPost TimeoutSec',
    'no command runs for a socket; deployment.pre_start runs before the service',
  ),
];
