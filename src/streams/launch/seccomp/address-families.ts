// The number that Linux uses for each address family of sockets (socket(2)).
const NUMBERS: Readonly<Record<string, number>> = {
  AF_UNIX: 1,
  AF_INET: 2,
  AF_AX25: 3,
  AF_IPX: 4,
  AF_APPLETALK: 5,
  AF_X25: 9,
  AF_INET6: 10,
  AF_KEY: 15,
  AF_NETLINK: 16,
  AF_PACKET: 17,
  AF_RDS: 21,
  AF_PPPOX: 24,
  AF_LLC: 26,
  AF_IB: 27,
  AF_MPLS: 28,
  AF_CAN: 29,
  AF_TIPC: 30,
  AF_BLUETOOTH: 31,
  AF_ALG: 38,
  AF_NFC: 39,
  AF_VSOCK: 40,
  AF_KCM: 41,
  AF_QIPCRTR: 42,
  AF_SMC: 43,
  AF_XDP: 44,
  AF_MCTP: 45,
};

/** The names of all families, in the form `AF_XXX`. */
export const ADDRESS_FAMILIES: readonly string[] = Object.keys(NUMBERS);

/** Returns the numbers of these families. */
export const familyNumbers = (names: readonly string[]): readonly number[] =>
  names.flatMap((name) => NUMBERS[name] ?? []);
