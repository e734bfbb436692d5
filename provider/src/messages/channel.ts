import { OTP_METHODS } from '#domain/contacts/channels.ts';
import type { PasscodeChannel } from '#server-rules/contacts.ts';

/** How a message reaches a person. */
export type MessageChannel = PasscodeChannel;

const OTHERS = ['webhook', 'logout'] as const;

/** What the outbox delivers: a message, an event to a webhook, or the end of a session to a connected app. */
export type Channel = MessageChannel | (typeof OTHERS)[number];

export const CHANNELS: readonly Channel[] = [...OTP_METHODS, ...OTHERS];
