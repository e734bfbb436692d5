import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { COMMANDS } from '#provider/operation/commands/commands.ts';
import { OPERATOR_COMMANDS, pathName } from '#provider/operation/operators/commands.ts';
import { ran } from '../kit/managing.ts';
import { soakIt } from '#tests/soak-tests.ts';

describe('the table of commands', () => {
  it('is the one of the documentation', async () => {
    const documented = readFileSync(join(ROOT, 'docs/people.md'), 'utf8').match(/^\| `[a-z].*\|$/gmu) ?? [];
    const rows: string[] = [];
    for (const [words, command] of Object.entries(COMMANDS)) {
      const [, usage = ''] = /^Usage: portico-provider (.*)$/mu.exec(await ran([...words.split(' '), '--help'])) ?? [];
      const roles = command.kind === 'operator' ? command.roles.join(', ') : '';
      rows.push(`| \`${usage.replace(' [options]', '')}\` | ${command.help} |${roles === '' ? '' : ` ${roles}`} |`);
    }
    expect(documented.filter((row) => row.split('|').length === 5).sort()).toEqual(rows.sort());
  });

  it('names those that only read in the documentation of replicas', () => {
    const [, names = ''] = /^\| (`users list`.*) \| `--database-url`/mu.exec(readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8')) ?? []; // prettier-ignore
    const reading = Object.entries(OPERATOR_COMMANDS).filter(([, { reads }]) => reads);
    expect(names.split(', ').sort()).toEqual(reading.map(([words]) => `\`${words}\``).sort());
  });

  soakIt('is written in --help of each command, with every argument and option', async () => {
    for (const [words, command] of Object.entries(COMMANDS)) {
      const help = (await ran([...words.split(' '), '--help'])).replaceAll(/\s+/gu, ' ');
      expect(help).toContain(`Usage: portico-provider ${words} `);
      expect(help).toContain(command.help);
      for (const [name, field] of Object.entries(command.fields)) {
        if (field.type === 'object[]') continue;
        expect(help, words).toContain(
          name === command.argument ? name.toUpperCase() : `--${name.replaceAll('_', '-')}`,
        );
        expect(help, words).toContain(field.help);
      }
    }
  });

  it('is in --help of the program and of a group alone, in lines that a file can hold', async () => {
    const lists = async (...words: string[]): Promise<boolean> =>
      (await ran([...words, '--help'])).includes('Commands:');
    expect([await lists(), await lists('users')]).toEqual([true, true]);
    expect([await lists('migrate'), await lists('users', 'list')]).toEqual([false, false]);
    const widths = (await ran(['--help'])).split('\n').map((line) => line.length);
    expect(Math.max(...widths)).toBeGreaterThan(100);
  });

  it('has a separate path at /admin for every command', () => {
    const paths = Object.keys(OPERATOR_COMMANDS).map(pathName);
    expect(new Set([...paths, 'backup']).size).toBe(paths.length + 1);
  });
});

describe('a command line that is wrong', () => {
  it.each([
    [
      ['usres'],
      /^Unknown command 'usres'\. Did you mean users\? Use one of: init, check, keys, migrate, projects, admin, users, /u,
    ],
    [['users'], /^Use one of: users list, /u],
    [['users', 'lsit'], /^Unknown command 'lsit'\. Did you mean list\? Use one of: users list, /u],
    [['postgres://me:canary@db.example/x'], /^Unknown command '…'\. Use one of: /u],
    [['users', 'show', 'a', 'postgres://me:canary@db.example/x'], /^Unexpected argument '…'\. Usage: /u],
    [['users', 'list', '--databse-url=postgres://me:canary@db.example/x'], "Unknown option '--databse-url'."],
    [['users', 'list', '--lmit', '3'], "Unknown option '--lmit'. Did you mean --limit?"],
    [['users', 'list', '--limit'], "Option '--limit <LIMIT>' argument missing."],
    [['users', 'list', '--after', '--json'], /^Option '--after <AFTER>' argument missing: write --after=… /u],
    [['users', 'list', '--json=1'], "Unknown option '--json'."],
    [['users', 'list', 'x'], "Unexpected argument 'x'. Usage: portico-provider users list "],
    [['clients', 'create'], "Required option '--name <NAME>' not specified. Usage: portico-provider clients create "],
    [['audit', 'list', '--outcome', 'x'], /Allowed choices are ok, refused\.$/u],
  ])('is refused in one sentence that names the mistake, without secrets: %j', async (words, sentence) => {
    const running = ran(words, {});
    await expect(running).rejects.toThrow(sentence);
    await expect(running).rejects.not.toThrow(/canary/u);
  });
});
