import { describe, expect, it } from 'vitest';
import { open, withTotp } from './account-world.ts';

describe('The authenticator app', () => {
  it('is set up with its first code, and its recovery codes show once', async () => {
    const { ask, page, world } = await open();
    await ask({ kind: 'createTotp' });
    const { task } = page();
    if (task?.kind !== 'addTotp') throw new Error('no app is set up');
    expect(task.totp.uri).toContain(`otpauth://totp/Fake%20project:ada%40example.com?secret=${task.totp.secret}`);
    await ask({ kind: 'confirmTotp', code: '000000' });
    expect(page()).toMatchObject({ task: { kind: 'addTotp' }, error: { error_type: 'otp_code_not_found' } });
    await ask({ kind: 'confirmTotp', code: world.server.totpCode(task.totp.secret) });
    expect(page().task).toEqual({ kind: 'recoveryCodes', codes: task.totp.recoveryCodes, fresh: true });
    expect(page().news?.what).toBe('totpAdded');
  });
});

describe('A change that needs the second factor', () => {
  it('asks for it in place, and goes on after a right code', async () => {
    const { ask, prove, page, code, heard, errors } = await withTotp();
    const { totp_id: id = '' } = page().user.totps[0] ?? {};
    await ask({ kind: 'remove', what: 'totp', id });
    expect(page()).toMatchObject({ at: 'proving', way: 'totp' });
    // The refusal is answered by a question; it is no error for the host.
    expect(errors).toEqual([]);
    await prove('000000');
    expect(page()).toMatchObject({ at: 'proving', error: { error_type: 'otp_code_not_found' } });
    await prove(code());
    expect(page()).toMatchObject({ at: 'resting', error: null, news: { what: 'totpRemoved' } });
    expect(page().user.totps).toEqual([]);
    expect(heard).toEqual([{ type: 'ACCOUNT_CHANGED', data: { change: 'totpRemoved' } }]);
  });

  it('takes a recovery code as well, and shows the others', async () => {
    const { ask, prove, page, store, recovery_codes } = await withTotp();
    await ask({ kind: 'showRecoveryCodes' });
    store.send({ type: 'account/wayChosen', way: 'recovery' });
    await prove(recovery_codes[0] ?? '');
    expect(page().task).toEqual({ kind: 'recoveryCodes', codes: recovery_codes.slice(1), fresh: false });
  });

  it('is not made when the person closes the question', async () => {
    const { ask, page, store, world } = await withTotp();
    await ask({ kind: 'password', password: 'correct horse battery staple' });
    expect(page().at).toBe('proving');
    expect(JSON.stringify(store.getState())).not.toContain('correct horse');
    store.send({ type: 'account/closed' });
    await world.settle();
    expect(page()).toMatchObject({ at: 'resting', user: { password: null } });
  });
});
