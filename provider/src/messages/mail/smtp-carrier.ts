import { domainToASCII } from 'node:url';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Carrier, Outcome, Parcel } from '../outbox/carrier.ts';
import type { SmtpSettings } from '#provider/project/settings/delivery.ts';
import type { Templates } from '../texts/templates.ts';
import { parcelHtml } from './parcel-html.ts';
import { isOneAddress, senderFrom, smtpServerFrom, type Sender } from '#provider/project/readers/smtp-address.ts';
import { isEndOfConnection, outcomeOf } from './smtp-outcome.ts';
import { needsSmtpUtf8, takesSmtpUtf8 } from './smtp-utf8.ts';

interface SmtpOptions {
  readonly settings: SmtpSettings;
  /** The sender's name if the settings have none. */
  readonly project: { readonly name: string };
  readonly templates?: Templates | undefined;
  /** The longest wait for a connection, for a greeting, and for each reply. */
  readonly patienceMs?: number;
}

/** Less than the time limit of a delivery, so that the reason becomes known. */
const PATIENCE_MS = 10_000;
/** Shorter than servers keep idle connections: a closed connection costs an attempt. */
const IDLE_MS = 30_000;

const NO_SMTPUTF8 =
  'the mail server takes no mailbox in another script (its EHLO has no SMTPUTF8): use a server that does, or another address';

/** On one line, without the characters that would end a header. */
const headerText = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** Delivers emails to an SMTP server. */
export class SmtpCarrier implements Carrier {
  private readonly transport: ReturnType<typeof transportTo>;
  /** True to open a connection for each message. */
  private readonly single: ReturnType<typeof createTransport>;
  private readonly options: ReturnType<typeof optionsOf>;
  private readonly from: Sender;
  private readonly project: SmtpOptions['project'];
  private readonly replyTo: Sender | null;
  private readonly templates: Templates | undefined;

  constructor({ settings, project, templates, patienceMs = PATIENCE_MS }: SmtpOptions) {
    const from = senderFrom(settings.from);
    if (from === null) throw new TypeError('delivery.smtp.from is not an address');
    this.from = from;
    this.project = project;
    this.replyTo = settings.reply_to === null ? null : senderFrom(settings.reply_to);
    this.templates = templates;
    this.options = optionsOf(settings, patienceMs);
    this.transport = transportTo(this.options, settings.connections);
    this.single = createTransport(this.options);
  }

  async deliver(parcel: Parcel, signal: AbortSignal): Promise<Outcome> {
    const { id, to, subject, text, expiresAt } = parcel;
    // Otherwise the library would split a list of addresses.
    if (!isOneAddress(to)) return { kind: 'rejected', reason: 'the recipient is not an email address' };
    const html = parcelHtml(parcel, this.templates);
    // The library writes the id unchanged, and headers must be ASCII.
    const domain = domainToASCII(this.from.address.split('@')[1] ?? '') || 'localhost';
    try {
      const isUtf8 = needsSmtpUtf8([this.from.address, to, ...(this.replyTo === null ? [] : [this.replyTo.address])]);
      if (isUtf8 && !(await takesSmtpUtf8(this.options, signal))) return { kind: 'rejected', reason: NO_SMTPUTF8 };
      const { response } = await this.send({
        signal,
        from: { address: this.from.address, name: headerText(this.from.name ?? this.project.name) },
        to: { name: '', address: to },
        envelope: { from: this.from.address, to: [to] },
        ...(this.replyTo === null ? {} : { replyTo: { ...this.replyTo, name: this.replyTo.name ?? '' } }),
        subject: headerText(subject),
        text,
        ...(html === null ? {} : { html }),
        // The same in every attempt, so that a mailbox can recognize a duplicate.
        messageId: `<${id}@${domain}>`,
        headers: {
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'All',
          // After this date the mail is useless (RFC 2156).
          Expires: expiresAt.toUTCString(),
        },
      });
      return { kind: 'sent', reference: queueIdOf(response) };
    } catch (error) {
      return outcomeOf(error);
    }
  }

  /**
   * Some servers accept only a few messages per connection, and refuse the next one by ending it. That one is sent on a separate
   * connection.
   */
  private async send(mail: SendMailOptions): Promise<{ readonly response: string }> {
    try {
      return await this.transport.sendMail(mail);
    } catch (error) {
      if (!isEndOfConnection(error)) throw error;
      return this.single.sendMail(mail);
    }
  }

  close(): Promise<void> {
    this.transport.close();
    return Promise.resolve();
  }
}

/** The last word of `250 2.0.0 Ok: queued as 4F1B2C`, which identifies the mail in the server's log. */
function queueIdOf(response: string): string {
  const [, id = ''] = /\b(?:queued as|id=|message)\s*<?([\w.@-]{4,80})>?/iu.exec(response) ?? [];
  return id === '' ? response.slice(0, 3) : id;
}

/** Keeps connections. */
const transportTo = (options: ReturnType<typeof optionsOf>, connections: number) =>
  createTransport({
    ...options,
    pool: true,
    maxConnections: connections,
    // One more attempt on a new connection, because the server may have closed an idle one.
    maxRequeues: 1,
    idleTimeout: IDLE_MS,
  });

function optionsOf({ url, allow_insecure, dkim }: SmtpSettings, patienceMs: number) {
  const server = smtpServerFrom(url);
  if (server === null) throw new TypeError('delivery.smtp.url is not the URL of an SMTP server');
  const { host, port, secure, auth, isLoopback } = server;
  const mayBePlain = isLoopback || allow_insecure;
  return {
    host,
    port,
    secure,
    ...(auth === null ? {} : { auth }),
    requireTLS: !secure && !mayBePlain,
    tls: { minVersion: 'TLSv1.2' as const, rejectUnauthorized: !mayBePlain },
    dnsTimeout: patienceMs,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    maxResponseSize: 16 * 1024,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(dkim === null
      ? {}
      : { dkim: { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.private_key } }),
  };
}
