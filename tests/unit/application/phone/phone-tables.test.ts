import { describe, expect, it } from 'vitest';
import type { Intent } from '#domain/screens/event.ts';
import { openLogin } from '../open-widget.ts';
import { asked, E164, LOCAL, openPhone, PHONES } from './open-phone.ts';

const never = new Promise<never>(() => {});

describe('tables that do not answer', () => {
  it('are waited for two seconds, then the number goes out as it was typed', async () => {
    const { world, store, screen, sms, phone } = openPhone();
    phone.until = never;
    store.send(asked({ country: 'DE', national: '01512 3456789' }));
    await world.clock.advance(1_999);
    expect(sms()).toEqual([]);
    await world.clock.advance(1);
    expect(sms()).toEqual([{ phone_number: '+49015123456789', expiration_minutes: 5 }]);
    expect(screen()).toMatchObject({ otp: { phone: { international: '+49 015123456789' } } });
  });

  it('that cannot load do not make one wait', async () => {
    const { world, store, sms, phone } = openPhone();
    phone.broken = new Error('offline');
    store.send(asked({ country: 'XX', national: '+49 1512 3456789' }));
    await world.settle();
    expect(sms()).toEqual([{ phone_number: '+4915123456789', expiration_minutes: 5 }]);
  });

  it('that answer in time are believed: an invalid number is not sent after all', async () => {
    const { world, store, sms, phone } = openPhone();
    let answer = (): void => undefined;
    phone.until = new Promise<void>((resolve) => void (answer = resolve));
    store.send(asked({ national: '415555' }));
    await world.clock.advance(1_900);
    answer();
    await world.clock.advance(60_000);
    expect(sms()).toEqual([]);
    expect(store.getState().phone?.invalid).toBe(true);
  });

  it('that answer too late change nothing any more', async () => {
    const { world, store, screen, sms, phone } = openPhone();
    let answer = (): void => undefined;
    phone.until = new Promise<void>((resolve) => void (answer = resolve));
    store.send(asked({ national: '415 555' }));
    await world.clock.advance(2_000);
    const { name } = screen();
    answer();
    await world.settle();
    expect(sms()).toHaveLength(1);
    expect(screen().name).toBe(name);
  });

  it('let no text without a digit go out, nor what is no E.164 in form', async () => {
    const { world, store, sms, phone } = openPhone();
    phone.broken = new Error('offline');
    for (const national of ['call me', '1'.repeat(30)]) {
      store.send(asked({ national }));
      await world.settle();
      expect(store.getState().phone?.invalid).toBe(true);
    }
    expect(sms()).toEqual([]);
  });
});

describe('writing a number while it is typed', () => {
  const edit = (count: number, national: string): Intent => ({
    type: 'phone/edited',
    edit: count,
    country: 'US',
    national,
  });

  it('takes in the answer to the last edit alone', async () => {
    const { world, store, phone } = openPhone();
    let answer = (): void => undefined;
    phone.until = new Promise<void>((resolve) => void (answer = resolve));
    store.send(edit(1, '4155552'));
    phone.until = null;
    store.send(edit(2, '41555526'));
    await world.settle();
    const known = store.getState().phone;
    expect(known).toEqual({ edit: 2, formatted: { text: '(415) 555-26', country: null }, invalid: false });
    answer();
    await world.settle();
    expect(store.getState().phone).toBe(known);
  });

  it('reports the country of a number with a plus', async () => {
    const { world, store } = openPhone();
    store.send(edit(1, '\u202A+49 1512 3456789\u202C'));
    await world.settle();
    expect(store.getState().phone?.formatted).toEqual({ text: '01512 3456789', country: 'DE' });
  });

  it('leaves what was typed alone after ten seconds, and when nothing can be told', async () => {
    const { world, store, phone } = openPhone();
    let answer = (): void => undefined;
    phone.until = new Promise<void>((resolve) => void (answer = resolve));
    store.send(edit(1, '4155552671'));
    await world.clock.advance(10_000);
    answer();
    await world.settle();
    expect(store.getState().phone?.formatted).toBeNull();
    phone.broken = new Error('offline');
    store.send(edit(2, '4155552671'));
    await world.settle();
    expect(store.getState()).toMatchObject({ phone: { edit: 2, formatted: null }, error: null });
    expect(world.clock.pending).toBeLessThan(10);
  });

  it('is forgotten with the screen', async () => {
    const { world, store } = openPhone();
    store.send(edit(1, LOCAL));
    store.send(asked());
    await world.settle();
    expect(store.getState().phone).toBeNull();
  });
});

describe('the expected country', () => {
  it.each([undefined, 'DE', 'de', 'US'])('%s is taken without a word', async (defaultCountry) => {
    const { ports, store, world } = openPhone({
      ...PHONES,
      ...(defaultCountry === undefined ? {} : { defaultCountry }),
    });
    store.send(asked());
    await world.settle();
    expect(world.server.inbox).toHaveLength(1);
    expect(ports.log.messages('warn')).toEqual([]);
  });

  it.each(['XX', 'Germany', '+49', ''])('%s is no country, which the developer hears once', async (defaultCountry) => {
    const { ports, world, store } = openPhone({ ...PHONES, defaultCountry });
    store.send(asked({ country: 'XX' }));
    await world.settle();
    expect(ports.log.messages('warn')).toHaveLength(1);
    expect(world.server.inbox[0]?.to).toBe(E164);
    const mail = openLogin({ products: ['emailMagicLinks'], defaultCountry });
    mail.store.send({ type: 'magicLink/requested', email: 'ada@example.com' });
    await mail.world.settle();
    expect(mail.screen().name).toBe('EmailConfirmation');
    expect(mail.ports.log.messages('warn')).toEqual([]);
  });
});
