import { isIPv4, isIPv6 } from 'node:net';

interface Carrier {
  /** The first groups of such an address. */
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
  // NAT64 of one site (RFC 8215). Its formats end in the IPv4 address if the prefix is a /96.
  { prefix: [0x64, 0xff9b, 1], at: 6 },
  // 6to4: one IPv4 address contains 65,536 networks (RFC 3056).
  { prefix: [0x2002], at: 1 },
  // Teredo: the last 32 bits, inverted (RFC 4380, section 4).
  { prefix: [0x2001, 0], at: 6, inverted: true },
];

const UNSPECIFIED = '0,0,0,0,0,0,0,0';
const LOOPBACK = '0,0,0,0,0,0,0,1';

/** The eight groups of an address that `isIPv6` accepts, without its zone. */
function groupsOf(address: string): readonly number[] {
  const dotted = /(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/u.exec(address);
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
 * The networks that an address is in, narrowest first. An IPv4 address, in any notation, is one network. An IPv6 address is in three: a
 * /64, which usually belongs to one household or rented machine, a /56, which many providers assign to a household, and a /48, which anyone
 * can get (RFC 6177). Link-local addresses are only in their /64. `unknown` for a peer that has already disconnected.
 */
export function networkSteps(address: string): readonly [narrowest: string, ...wider: string[]] {
  const [plain = ''] = address.split('%');
  if (isIPv4(plain)) return [plain];
  if (!isIPv6(plain)) return ['unknown'];
  const groups = groupsOf(plain);
  const embedded = carried(groups);
  if (embedded !== null) return [embedded];
  const [first = 0, second = 0, third = 0, fourth = 0] = groups;
  const network = (bits: number, ...prefix: readonly number[]) =>
    `${prefix.map((group) => group.toString(16)).join(':')}::/${bits}`;
  const narrowest = network(64, first, second, third, fourth);
  if ((first & 0xffc0) === 0xfe80) return [narrowest];
  return [narrowest, network(56, first, second, third, fourth & 0xff00), network(48, first, second, third)];
}

/** The narrowest network of an address, which counts as one peer. */
export function networkOf(address: string): string {
  return networkSteps(address)[0];
}

/** The widest network of an address, which one attacker may control. */
export function widestNetworkOf(address: string): string {
  const steps = networkSteps(address);
  return steps.at(-1) ?? steps[0];
}

/** The queues in which the requests of an address wait. */
export function peerOf(address: string): { readonly wide: string; readonly narrow: string } {
  return { wide: widestNetworkOf(address), narrow: networkOf(address) };
}

/** True for the loopback addresses. */
export function isLoopbackAddress(address: string): boolean {
  const [plain = ''] = address.split('%');
  return networkOf(plain).startsWith('127.') || (isIPv6(plain) && groupsOf(plain).join() === LOOPBACK);
}
