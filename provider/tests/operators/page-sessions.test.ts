import { describe, expect, it } from 'vitest';
import { inviteOperator, removeOperator } from '#provider/operation/operators/desk/operator-store.ts';
import { EITHER_DATABASE, MINUTE } from '../kit/harness.ts';
import { BY, cookieOf } from '../kit/operators-browser.ts';
import { pageSteps } from './page-steps.ts';
import { soakIt } from '#tests/soak-tests.ts';

describe.each(EITHER_DATABASE)("the operators' page, on %s", (_, database) => {
  const world = pageSteps(database);
  const { get, post, enrolled, logIn } = world;

  it('removes operators, but leaves one who can log in and change things, also when two remove each other', async () => {
    const { db } = world.provider.services;
    await db.deleteFrom('operators').execute();
    const [one, two] = [await enrolled('One'), await enrolled('Two')];
    await inviteOperator(world.provider.services, { name: 'Invited', role: 'admin' }, BY);
    expect((await get('people', one.cookie)).text).toMatch(
      /One \(you\)[\s\S]*<time[\s\S]*none yet|none yet[\s\S]*One \(you\)/u,
    );
    const unknown = await post('people/remove', one.cookie, { name: 'Nobody' });
    expect([unknown.status, unknown.text.includes('id="name-wrong"')]).toEqual([404, true]);
    const both = await Promise.all([
      post('people/remove', one.cookie, { name: 'Two' }),
      post('people/remove', two.cookie, { name: 'One' }),
    ]);
    expect(both.filter(({ status }) => status === 303)).toHaveLength(1);
    const left = both[0].status === 303 ? { name: 'One', cookie: one.cookie } : { name: 'Two', cookie: two.cookie };
    expect((await post('people/remove', left.cookie, { name: left.name })).status).toBe(403);
    expect((await post('people/remove', left.cookie, { name: 'Invited' })).status).toBe(303);
    expect(await db.selectFrom('operators').select('name').execute()).toEqual([{ name: left.name }]);
  });

  soakIt(
    'ends a session after a quarter of an hour without a request, after eight hours, and with its operator',
    async () => {
      const { cookie, key } = await enrolled('Adele');
      const isLive = async (given: string) => (await get('users', given)).status === 200;
      for (let hour = 0; hour < 7 * 5; hour += 1) {
        world.provider.clock.time += 12 * MINUTE;
        expect(await isLive(cookie)).toBe(true);
      }
      world.provider.clock.time += 61 * MINUTE;
      expect(await isLive(cookie)).toBe(false);
      const idle = cookieOf(await logIn(key));
      world.provider.clock.time += 16 * MINUTE;
      expect(await isLive(idle)).toBe(false);
      const out = cookieOf(await logIn(key));
      expect((await post('logout', out)).location).toBe('/operators/login');
      expect(await isLive(out)).toBe(false);
      const removed = cookieOf(await logIn(key));
      await removeOperator(world.provider.services, 'Adele', BY);
      expect(await isLive(removed)).toBe(false);
      expect((await logIn(key)).status).toBe(400);
      await enrolled('Adele');
      expect(await isLive(removed)).toBe(false);
    },
  );
});
