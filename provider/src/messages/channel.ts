/** The ways to a person. */
export type MessageChannel = 'email' | 'sms' | 'whatsapp';
/** The ways out of the outbox. */
export type Channel = MessageChannel | 'webhook' | 'logout';
