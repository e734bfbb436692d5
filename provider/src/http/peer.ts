import { isIPv4, isIPv6 } from 'node:net';

interface Carrier {
  /** The groups with which such an address begins. */
  readonly prefix: readonly number[];
  /** The index of the first of the two groups that contain the IPv4 address. */
  readonly at: number;
  readonly inverted?: boolean;
}

/** The IPv6 formats that embed the IPv4 address of the peer. */
const CARRIERS: readonly Carrier[] = [
  // IPv4-mapped addresses, and the older IPv4-compatible ones (RFC 4291, section 2.5.5).
  { prefix: [0, 0, 0, 0, 0, 0xffff], at: 6 },
  { prefix: [0, 0, 0, 0, 0, 0], at: 6 },
  // SIIT and NAT64 (RFC 7915; RFC 6052, section 2.1).
  { prefix: [0, 0, 0, 0, 0xffff, 0], at: 6 },
  { prefix: [0x64, 0xff9b, 0, 0, 0, 0], at: 6 },
  // 6to4: one IPv4 address holds 65,536 networks (RFC 3056).
  { prefix: [0x2002], at: 1 },
  // Teredo: the last 32 bits, inverted (RFC 4380, section 4).
  { prefix: [0x2001, 0], at: 6, inverted: true },
];

const UNSPECIFIED = '0,0,0,0,0,0,0,0';
const LOOPBACK = '0,0,0,0,0,0,0,1';

/** The eight groups of an address that `isIPv6` takes, without its zone. */
function groupsOf(address: string): readonly number[] {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/u.exec(address);
  const [a = 0, b = 0, c = 0, d = 0] = (dotted ?? []).slice(1).map(Number);
  const hex = [a * 256 + b, c * 256 + d].map((group) => group.toString(16)).join(':');
  const [head = '', tail = ''] = (dotted === null ? address : address.slice(0, dotted.index) + hex).split('::');
  const [before = [], after = []] = [head, tail].map((part) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)),
  );
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

/** The IPv4 address that an IPv6 address embeds, or null. */
function carried(groups: readonly number[]): string | null {
  const text = groups.join();
  if (text === UNSPECIFIED || text === LOOPBACK) return null;
  const found = CARRIERS.find(({ prefix }) => prefix.every((group, index) => groups[index] === group));
  if (found === undefined) return null;
  const words = groups.slice(found.at, found.at + 2).map((word) => (found.inverted === true ? word ^ 0xffff : word));
  return words.flatMap((word) => [word >> 8, word & 0xff]).join('.');
}

/**
 * The network that counts as one peer: an IPv4 address in any notation, or an IPv6 /64, which a household or a rented
 * machine usually has to itself. `unknown` for a peer that has already disconnected.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%');
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return 'unknown';
  const groups = groupsOf(plain);
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return carried(groups) ?? `${network.join(':')}::/64`;
}

/** True for the addresses of this very machine. */
export function isLoopbackAddress(address: string): boolean {
  const [plain = ''] = address.split('%');
  return networkOf(plain).startsWith('127.') || (isIPv6(plain) && groupsOf(plain).join() === LOOPBACK);
}
