import { describe, expect, it } from 'vitest';
import { passwords } from '#application/api/index.ts';
import { errorReply, offline } from '#kit/transport/fake-reply.ts';
import { ADA, ALONE, entered, GOOD } from './open-passwords.ts';

async function atForm() {
  const opened = await entered(ALONE);
  const { store, world } = opened;
  let check = 0;
  const type = (password: string): void => {
    check += 1;
    store.send({ type: 'password/edited', check, email: ADA, password });
  };
  const asked = () => world.transport.requestsTo(passwords.strengthCheck).map(({ body }) => body);
  const known = () => store.getState().strength;
  return { ...opened, type, asked, known };
}

describe('the strength of a password', () => {
  it('is requested from the server when the field has rested for half a second, with the address', async () => {
    const { world, type, asked, known } = await atForm();
    for (const password of ['C', 'Co', 'Cor', GOOD]) {
      type(password);
      await world.clock.advance(499);
    }
    expect(asked()).toEqual([]);
    await world.clock.advance(1);
    expect(asked()).toEqual([{ email: ADA, password: GOOD }]);
    expect(known()).toMatchObject({ check: 4, strength: { valid_password: true } });
  });

  it('is estimated here at once, and shows nothing of being good enough', async () => {
    const { world, type, known } = await atForm();
    type('abcdefgh');
    await world.settle();
    expect(known()).toMatchObject({ check: 1, estimate: 2, strength: null });
  });

  it('is requested without an estimate, too', async () => {
    const { world, ports, type, known } = await atForm();
    ports.passwordStrength.knows = false;
    type(GOOD);
    await world.clock.advance(500);
    expect(known()).toMatchObject({ estimate: null, strength: { valid_password: true } });
  });

  it('counts for the last edit alone, in whatever order the answers come', async () => {
    const { world, type, known } = await atForm();
    const gates = [];
    for (const password of ['a', GOOD, 'abc']) {
      gates.push(world.transport.hold(passwords.strengthCheck));
      type(password);
      await world.clock.advance(500);
    }
    for (const gate of gates.reverse()) {
      gate.release();
      await world.settle();
      expect(known()).toMatchObject({ check: 3, strength: { valid_password: false } });
    }
  });

  it('is not asked any more when the field is empty or the screen is left', async () => {
    const { world, store, type, asked } = await atForm();
    type(GOOD);
    type('');
    await world.clock.advance(1_000);
    type(GOOD);
    store.send({ type: 'back' });
    await world.clock.advance(1_000);
    expect(asked()).toEqual([]);
    expect(store.getState().strength).toBeNull();
  });

  it('aborts the question that is out of date', async () => {
    const { world, ports, type } = await atForm();
    const aborted: boolean[] = [];
    const send = ports.transport.send.bind(ports.transport);
    ports.transport.send = (request) => {
      const { signal } = request;
      if (signal) (signal as EventTarget & AbortSignal).addEventListener('abort', () => aborted.push(true));
      return send(request);
    };
    world.transport.hold(passwords.strengthCheck);
    type('a');
    await world.clock.advance(500);
    expect(aborted).toEqual([]);
    type('ab');
    expect(aborted).toEqual([true]);
  });

  it.each([
    ['offline', () => offline()],
    ['refused', () => errorReply(429, 'too_many_requests')],
  ])('that could not be told (%s) is told at the next edit', async (_, fails) => {
    const { world, store, type, known, errors } = await atForm();
    world.transport.answer(passwords.strengthCheck, fails);
    type(GOOD);
    await world.clock.advance(500);
    expect(known()?.error).not.toBeNull();
    expect(known()?.strength).toBeNull();
    expect(store.getState().error).toBeNull();
    expect(errors).toHaveLength(1);
    world.transport.answer(passwords.strengthCheck, () => ({ valid_password: true, score: 4 }));
    type(GOOD);
    expect(known()?.error).toBeNull();
    await world.clock.advance(500);
    expect(known()).toMatchObject({ error: null, strength: { valid_password: true, score: 4 } });
  });

  it('is not good on the word of an odd answer', async () => {
    const { world, type, known } = await atForm();
    world.transport.answer(passwords.strengthCheck, () => ({ valid_password: false, feedback: 'none', score: 'high' }));
    type(GOOD);
    await world.clock.advance(500);
    expect(known()?.strength).toMatchObject({ valid_password: false, score: 0, feedback: { suggestions: [] } });
  });
});
