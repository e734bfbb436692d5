import type { PasscodeChannel } from '../../../src/domain/rules/contacts.ts';

/** How a message reaches a person. */
export type MessageChannel = PasscodeChannel;
/** How the outbox delivers: a message, an event to a webhook, or the end of a session to a connected app. */
export type Channel = MessageChannel | 'webhook' | 'logout';
const ALL: Readonly<Record<Channel, true>> = { email: true, sms: true, whatsapp: true, webhook: true, logout: true };
/** Every channel. */
export const CHANNELS: readonly string[] = Object.keys(ALL);
