import { readCommand, writeCommand, type OperatorCommand } from '../desk/command.ts';
import { saying } from '../desk/listing.ts';
import { listKeys, PURPOSES, rotateKey } from './store.ts';

const ROTATE = writeCommand(
  {
    fields: {
      purpose: {
        type: 'string?',
        help: 'sessions for session JWTs; default apps, for connected apps',
        values: PURPOSES,
      },
    },
    help: 'makes a new key that signs from now on, and prints its id',
    roles: ['admin'],
    forms: [
      { page: 'keys', act: 'rotate', fields: (form) => ({ purpose: form.get('purpose') ?? '' }), done: 'rotated' },
    ],
  },
  async (services, { purpose = 'apps' }, by) => {
    const key = await rotateKey(services, purpose, by);
    return saying(key.kid, key);
  },
);

export const KEY_COMMANDS = {
  'keys list': readCommand(
    {
      fields: {},
      help: 'lists the signing keys, the newest first',
      columns: ['purpose', 'kid', 'state', 'created_at', 'active_at'],
      page: 'keys',
    },
    async (services) => ({ rows: await listKeys(services), next: null }),
  ),
  'keys rotate': ROTATE,
  'admin rotate-keys': { ...ROTATE, help: 'does the same as "keys rotate"' },
} as const satisfies Readonly<Record<string, OperatorCommand>>;
