import type { PasscodeChannel } from '../../../src/domain/rules/contacts.ts';

/** How a message reaches a person. */
export type MessageChannel = PasscodeChannel;
/** How the outbox delivers: a message, or an event to a webhook. */
export type Channel = MessageChannel | 'webhook';
