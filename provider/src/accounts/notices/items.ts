import type { ContactKind } from '#server-rules/contacts.ts';
import type { NoticeItem } from '#provider/messages/texts/notices/notice-wording.ts';
import type { NoticeLine, NoticeTopic } from '#provider/messages/texts/notices/notice-texts.ts';
import type { NoticeFactor } from '#provider/base/notices/tables.ts';
import type { NoticeSettings } from '#provider/project/settings/notices.ts';
import type { Notice } from './history.ts';

/** The sentences for adding and removing each kind of factor. */
const FACTOR_LINES: Readonly<Record<Exclude<NoticeFactor, 'app'>, readonly [added: NoticeLine, removed: NoticeLine]>> =
  {
    email: ['email_added', 'email_removed'],
    phone_number: ['phone_added', 'phone_removed'],
    totp: ['totp_added', 'totp_removed'],
    password: ['password_added', 'password_removed'],
    webauthn: ['passkey_added', 'passkey_removed'],
    crypto_wallet: ['wallet_added', 'wallet_removed'],
    oauth: ['social_added', 'social_removed'],
  };

/** The setting with which a project turns the notice off; null for notices that are always sent. */
export function settingOf({ event, factor_type }: Pick<Notice, 'event' | 'factor_type'>): keyof NoticeSettings | null {
  switch (event) {
    case 'factor.added':
    case 'factor.removed':
      return factor_type === 'email' || factor_type === 'phone_number' || factor_type === 'password' ? null : 'factors';
    case 'device.added':
      return 'devices';
    case 'recovery_code.used':
    case 'recovery_codes.renewed':
      return 'recovery_codes';
    case 'app.connected':
      return 'apps';
    default:
      return null;
  }
}

/** The sentence that describes a change. */
export function itemOf({ event, factor_type, details }: Notice, apps: ReadonlyMap<string, string>): NoticeItem {
  const { value, provider = '', device, client_id = '', available_at } = details;
  switch (event) {
    case 'factor.added':
    case 'factor.removed': {
      const [added, removed] = FACTOR_LINES[factor_type === null || factor_type === 'app' ? 'totp' : factor_type];
      const line = event === 'factor.added' ? added : removed;
      if (factor_type === 'email') return { line, value: masked('email', value ?? '') };
      if (factor_type === 'phone_number') return { line, value: masked('phone', value ?? '') };
      return factor_type === 'oauth' ? { line, value: provider } : { line };
    }
    case 'password.changed':
      return { line: 'password_changed' };
    case 'device.added':
      return device === undefined ? { line: 'device_unknown' } : { line: 'device', value: device };
    case 'recovery_code.used':
      return { line: 'recovery_code' };
    case 'recovery_codes.renewed':
      return { line: 'codes_renewed' };
    case 'app.connected':
      return { line: 'app', value: apps.get(client_id) ?? client_id };
    case 'recovery.started':
      return { line: 'recovery_started', ...(available_at === undefined ? {} : { time: available_at }) };
    case 'recovery.available':
      return { line: 'recovery_available' };
    case 'recovery.canceled':
      return { line: 'recovery_canceled' };
    case 'recovery.completed':
      return { line: 'recovery_completed' };
    case 'account.restored':
      return { line: 'restored' };
  }
}

const TOPICS: Partial<Readonly<Record<Notice['event'], NoticeTopic>>> = {
  'password.changed': 'password',
  'device.added': 'device',
  'recovery_code.used': 'recovery_code',
  'app.connected': 'app',
  'recovery.started': 'recovery_started',
  'recovery.available': 'recovery_available',
  'recovery.canceled': 'recovery_ended',
  'recovery.completed': 'recovery_ended',
};

/** The subject of a message about the changes: specific if all are of one kind. */
export function topicOf(changes: readonly Notice[]): NoticeTopic {
  const topics = new Set(changes.map(({ event }) => TOPICS[event] ?? 'account'));
  for (const first of ['recovery_available', 'recovery_started'] as const) if (topics.has(first)) return first;
  const [only] = topics;
  return topics.size === 1 && only !== undefined ? only : 'account';
}

const DOTS = '•••';

/** A contact in a form that others may see: `m•••@example.com`, `+1 ••• 42`. Its owner can still recognize it. */
export function masked(kind: ContactKind, value: string): string {
  if (kind === 'phone') return `${value.slice(0, 2)} ${DOTS} ${value.slice(-2)}`;
  const at = value.lastIndexOf('@');
  const [first = ''] = value;
  return `${first}${DOTS}${value.slice(at)}`;
}
