import type { EmailOtpOptions, OtpLogin, SmsOtpOptions, WhatsappOtpOptions } from '../use-cases/otp-login.ts';
import { checkArguments, DURATION, type Duration } from '../arguments.ts';

function checkDestination(method: string, field: 'email' | 'phone_number', destination: string, options: object): void {
  checkArguments(`otps.${method}`, { [field]: 'string', options: 'object' }, { [field]: destination, options });
}

/**
 * What stands behind `client.otps`. `…LoginOrCreate` sends a six-digit passcode to an unknown address or number too;
 * `…Send` to a known one, or, while somebody is signed in, to one that it adds to that user. The reply's `method_id` goes
 * into `authenticate`.
 */
export class OtpsClient {
  constructor(private readonly otps: OtpLogin) {}

  async emailLoginOrCreate(email: string, options: EmailOtpOptions = {}) {
    checkDestination('email.loginOrCreate', 'email', email, options);
    return this.otps.loginOrCreate('email', email, options);
  }
  async emailSend(email: string, options: EmailOtpOptions = {}) {
    checkDestination('email.send', 'email', email, options);
    return this.otps.send('email', email, options);
  }
  async smsLoginOrCreate(phone_number: string, options: SmsOtpOptions = {}) {
    checkDestination('sms.loginOrCreate', 'phone_number', phone_number, options);
    return this.otps.loginOrCreate('sms', phone_number, options);
  }
  async smsSend(phone_number: string, options: SmsOtpOptions = {}) {
    checkDestination('sms.send', 'phone_number', phone_number, options);
    return this.otps.send('sms', phone_number, options);
  }
  async whatsappLoginOrCreate(phone_number: string, options: WhatsappOtpOptions = {}) {
    checkDestination('whatsapp.loginOrCreate', 'phone_number', phone_number, options);
    return this.otps.loginOrCreate('whatsapp', phone_number, options);
  }
  async whatsappSend(phone_number: string, options: WhatsappOtpOptions = {}) {
    checkDestination('whatsapp.send', 'phone_number', phone_number, options);
    return this.otps.send('whatsapp', phone_number, options);
  }

  /** Exchanges a passcode for a session. */
  async authenticate(code: string, method_id: string, options: Duration) {
    checkArguments('otps.authenticate', { code: 'string', method_id: 'string' }, { code, method_id });
    checkArguments('otps.authenticate', DURATION, options);
    return this.otps.authenticate(code, method_id, options.session_duration_minutes);
  }
}
