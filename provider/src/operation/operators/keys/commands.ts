import { command, type OperatorCommand } from '../desk/command.ts';
import { saying } from '../desk/listing.ts';
import { listKeys, PURPOSES, rotateKey } from './store.ts';

const ROTATE = command(
  {
    fields: {
      purpose: {
        type: 'string?',
        help: 'sessions for session JWTs; default apps, for connected apps',
        values: PURPOSES,
      },
    },
    help: 'makes a new key that signs from now on, and prints its id',
    page: 'POST /operators/keys/rotate',
  },
  async (services, { purpose = 'apps' }, by) => {
    const key = await rotateKey(services, purpose, by);
    return saying(key.kid, key);
  },
);

export const KEY_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'keys list': command(
    {
      fields: {},
      help: 'lists the signing keys, the newest first',
      columns: ['purpose', 'kid', 'state', 'created_at', 'active_at'],
      page: 'GET /operators/keys',
    },
    async (services) => ({ rows: await listKeys(services), next: null }),
  ),
  'keys rotate': ROTATE,
  'admin rotate-keys': { ...ROTATE, help: 'does the same as "keys rotate"' },
};
