import SMTPConnection, { type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';

/**
 * Whether a mail with these addresses, in its envelope or headers, needs the extension SMTPUTF8 (RFC 6531 and 6532). A domain has an ASCII
 * form, but a mailbox does not.
 */
export const needsSmtpUtf8 = (addresses: readonly string[]): boolean =>
  addresses.some((address) => /[^\0-\x7F]/u.test(address.slice(0, address.lastIndexOf('@'))));

/**
 * Asks the server on a separate connection whether it accepts such addresses, because the library sends them in any case. Rejects with the
 * library's errors.
 */
export async function takesSmtpUtf8(options: SMTPConnectionOptions, signal: AbortSignal): Promise<boolean> {
  const connection = new SMTPConnection(options);
  const end = (): void => connection.close();
  signal.addEventListener('abort', end, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      connection.on('error', reject);
      connection.once('end', () =>
        reject(Object.assign(new Error('The connection was closed'), { code: 'ECONNECTION' })),
      );
      connection.connect((error) => (error ? reject(error) : resolve()));
    });
    // The answer to the last greeting, which is the one after STARTTLS.
    const greeting = connection.lastServerResponse;
    connection.quit();
    return greeting !== false && /^250[ -]SMTPUTF8\b/imu.test(greeting);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
