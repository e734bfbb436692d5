import { describe, expect, it } from 'vitest';
import { DEMO_PROJECT, type Project } from '#provider/project/settings/project.ts';
import { isBreached, type BreachList } from '#provider/accounts/password-strength/breach-list.ts';
import { Semaphore } from '#provider/base/security/semaphore.ts';
import { strengthOf } from '#provider/accounts/passwords/policy.ts';
import { soakIt } from '#tests/soak-tests.ts';

const GOOD = 'violet tractor moon 88';

describe('the strength of a password', () => {
  const counted = { password_strength_policy: 'luds', luds_complexity: 3, luds_minimum_count: 10 } as const;
  const luds: Project = { ...DEMO_PROJECT, ...counted };
  const lax: Project = { ...DEMO_PROJECT, password_strength_policy: 'none', breach_detection: false };
  const check = (password: string, email?: string, project = DEMO_PROJECT) => strengthOf({ project }, password, email);

  it('is judged by dictionaries, with words about it', async () => {
    const weak = await check('password1');
    expect(weak).toMatchObject({ valid_password: false, score: 0, breached_password: true, strength_policy: 'zxcvbn' });
    expect(weak.breach_detection_on_create).toBe(true);
    expect(weak.feedback.warning).toMatch(/common/u);
    expect(weak.feedback.suggestions.length).toBeGreaterThan(0);
    expect(await check(GOOD)).toMatchObject({
      valid_password: true,
      breached_password: false,
      feedback: { warning: '' },
    });
  });

  it('counts known details of the user as words', async () => {
    const password = 'zebulonquarterstaff';
    const unknown = await check(password);
    const named = await check(password, 'zebulonquarterstaff@example.com');
    expect(named.score).toBeLessThan(unknown.score);
    expect(named.valid_password).toBe(false);
  });

  it('needs eight characters, however odd', async () => {
    const short = await check('q#7Zv!x');
    expect(short.valid_password).toBe(false);
    expect(short.feedback.suggestions.join()).toContain('at least 8');
  });

  it('is counted where the project counts', async () => {
    expect(await check('Ab1', undefined, luds)).toMatchObject({
      valid_password: false,
      strength_policy: 'luds',
      feedback: {
        luds_requirements: {
          has_digit: true,
          has_lower_case: true,
          has_upper_case: true,
          has_symbol: false,
          missing_characters: 7,
          missing_complexity: 0,
        },
      },
    });
    expect((await check('abcdefghij', undefined, luds)).feedback.luds_requirements).toMatchObject({
      missing_characters: 0,
      missing_complexity: 2,
    });
    expect(await check('Abcdefghi1', undefined, luds)).toMatchObject({ valid_password: true });
    const nine = '\u{1f600}'.repeat(9);
    expect((await check(nine, undefined, luds)).feedback.luds_requirements.missing_characters).toBe(1);
  });

  it('is not judged where the project asks for none, which is `luds` with counts of zero on the wire', async () => {
    const { strength_policy, feedback } = await check('x', undefined, lax);
    expect([strength_policy, feedback.luds_requirements]).toMatchObject([
      'luds',
      { missing_characters: 0, missing_complexity: 0 },
    ]);
    expect(await check('password1', undefined, lax)).toMatchObject({ valid_password: true, breached_password: true });
    expect(await check('', undefined, lax)).toMatchObject({ valid_password: false });
  });

  soakIt('is judged soon, even for a text that is made to be slow', async () => {
    await check('warm');
    const began = process.cpuUsage();
    for (const slow of ['x7$kQ'.repeat(800), 'a'.repeat(4096), 'qwerty'.repeat(600)]) await check(slow);
    await check(GOOD, `${'ab.cd@'.repeat(10_000)}example.com`);
    // Microseconds of this process: what else the machine does is not counted.
    expect(process.cpuUsage(began).user).toBeLessThan(3_000_000);
  });
});

describe('the breach list', () => {
  it('is searched by the first five digits of the SHA-1 and the other thirty-five', async () => {
    const asked: string[][] = [];
    const list: BreachList = { hasSuffix: (...digits) => Promise.resolve(asked.push(digits) > 0) };
    expect(await isBreached(list, 'password')).toBe(true);
    expect(asked).toEqual([['5BAA6', '1E4C9B93F3F0682250B6CF8331B7EE68FD8']]);
  });
});

describe('a semaphore', () => {
  it('runs so many at once, lets the others wait in turn, and refuses when the line is too long', async () => {
    const semaphore = new Semaphore(2, 3);
    const ends: (() => void)[] = [];
    const begun: number[] = [];
    const enter = (name: number) =>
      semaphore.run(() => {
        begun.push(name);
        return new Promise<number>((resolve) => ends.push(() => resolve(name)));
      });
    const results = [0, 1, 2, 3, 4].map(enter);
    await expect(enter(5)).rejects.toMatchObject({ type: 'service_unavailable', retryAfterSeconds: 1 });
    expect(begun).toEqual([0, 1]);
    for (let done = 0; done < 5; done += 1) {
      ends[done]!();
      expect(await results[done]).toBe(done);
      await Promise.resolve();
      expect(begun.length).toBe(Math.min(5, done + 3));
    }
    expect(begun).toEqual([0, 1, 2, 3, 4]);
  });

  it('is free again after a failure', async () => {
    const semaphore = new Semaphore(1, 1);
    await expect(semaphore.run(() => Promise.reject(new Error('x')))).rejects.toThrow('x');
    expect(await semaphore.run(() => Promise.resolve('free'))).toBe('free');
  });
});
