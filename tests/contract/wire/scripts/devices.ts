import { idp, users } from '#application/api/index.ts';
import { PLANNER } from '../../flows/project.ts';
import type { Script, Wire } from '../wire.ts';
import { MINUTE_MS, signIn, withTotp } from './people.ts';

const { client_id } = PLANNER;

const begin = (wire: Wire, scopes: readonly string[] = ['openid', 'email', 'openid']) =>
  wire.world.beginDevice({ client_id, scopes, program: 'Television/9' });

/** Notes what a device gets. */
async function poll(wire: Wire, device_code: string): Promise<void> {
  const outcome = await wire.world.pollDevice({ client_id, device_code }).then(
    () => 'tokens',
    (thrown: unknown) => (thrown as { readonly error?: unknown }).error,
  );
  wire.note('poll', 200, { outcome });
}

export const DEVICES: readonly Script[] = [
  {
    title: 'devices are shown, allowed and denied',
    run: async (wire) => {
      const session = await signIn(wire);
      const [allowed, denied] = [await begin(wire), await begin(wire, ['openid', 'write:documents'])];
      for (const { user_code } of [allowed, denied]) {
        await wire.call(idp.deviceStart, { user_code });
        await wire.call(idp.deviceStart, { user_code }, { session });
        await wire.call(idp.deviceStart, { user_code: ` ${user_code.replace('-', ' ').toLowerCase()}` }, { session });
      }
      await poll(wire, allowed.device_code);
      await wire.call(idp.deviceSubmit, { user_code: allowed.user_code, consent_granted: true });
      await wire.call(idp.deviceSubmit, { user_code: allowed.user_code, consent_granted: true }, { session });
      await wire.call(idp.deviceSubmit, { user_code: allowed.user_code, consent_granted: true }, { session });
      await wire.call(idp.deviceStart, { user_code: allowed.user_code }, { session });
      await poll(wire, allowed.device_code);
      await poll(wire, allowed.device_code);
      await wire.call(idp.deviceSubmit, { user_code: denied.user_code, consent_granted: false }, { session });
      await poll(wire, denied.device_code);
      await wire.call(users.connectedApps, null, { session });
    },
  },
  {
    title: 'codes of devices are refused that are wrong, late, or ask for what the user cannot grant',
    run: async (wire) => {
      const session = await signIn(wire);
      for (const user_code of ['', 'BBBB', 'BBBB-BBBB', '<script>', 'x'.repeat(80)]) {
        await wire.call(idp.deviceStart, { user_code }, { session });
        await wire.call(idp.deviceSubmit, { user_code, consent_granted: true }, { session });
      }
      await wire.call(idp.deviceStart, {}, { session });
      await wire.call(idp.deviceSubmit, { user_code: 'BBBB-BBBB', consent_granted: 'yes' }, { session });
      const { user_code } = await begin(wire, ['write:documents']);
      await wire.call(idp.deviceStart, { user_code }, { session });
      await wire.call(idp.deviceSubmit, { user_code, consent_granted: true }, { session });
      const late = await begin(wire);
      wire.world.passTime(10 * MINUTE_MS);
      await wire.call(idp.deviceStart, { user_code: late.user_code }, { session });
      await wire.call(idp.deviceSubmit, { user_code: late.user_code, consent_granted: false }, { session });
      await poll(wire, late.device_code);
    },
  },
  {
    title: 'devices get lasting scopes by a session with the second factor alone',
    run: async (wire) => {
      const { session } = await withTotp(wire);
      const weak = await signIn(wire);
      const { user_code, device_code } = await begin(wire, ['full_access']);
      await wire.call(idp.deviceSubmit, { user_code, consent_granted: true }, { session: weak });
      await poll(wire, device_code);
      await wire.call(idp.deviceSubmit, { user_code, consent_granted: true }, { session });
      await poll(wire, device_code);
    },
  },
];
