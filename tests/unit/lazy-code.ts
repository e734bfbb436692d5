/**
 * Loads beforehand what a page loads later. Otherwise a test may end while such a file is on its way, and vitest counts a file that
 * comes after its test as an error.
 */
import '../../src/application/use-cases/passkeys/passkey-changes.ts';
import '../../src/application/use-cases/passkeys/passkey-extensions.ts';
import '../../src/application/use-cases/passkeys/passkey-reports.ts';
import '../../src/application/use-cases/passkeys/passkey-creation.ts';
import '../../src/application/use-cases/passkeys/silent-creation.ts';
import '../../src/application/widget/effects/account/account.ts';
import '../../src/application/widget/effects/consent/consent.ts';
import '../../src/application/widget/effects/login-effects.ts';
import '../../src/application/widget/effects/passkeys/passkey-offer.ts';
import '../../src/application/widget/effects/passkeys/passkey-registration.ts';
import '../../src/application/widget/effects/passkeys/passkey-sign-up.ts';
import '../../src/application/widget/effects/sessions/second-factor.ts';
import '../../src/application/widget/widget-rules.ts';
import '../../src/composition/lazy/wire-lazy.ts';
import '../../src/composition/wire-session.ts';
import '../../src/presentation/components/QrCode.tsx';
import '../../src/presentation/messages/ar/login.ts';
import '../../src/presentation/messages/de/login.ts';
import '../../src/presentation/messages/es/login.ts';
import '../../src/presentation/messages/fr/login.ts';
import '../../src/presentation/messages/ja/login.ts';
import '../../src/presentation/messages/pt/login.ts';
import '../../src/presentation/messages/zh/login.ts';
import '../../src/presentation/parts/account/account.ts';
import '../../src/presentation/parts/consent/consent.ts';
import '../../src/presentation/parts/factors/factors.ts';
import '../../src/presentation/parts/login/login.ts';
import '../../src/composition/lazy/option-mistakes.ts';
import '../../src/presentation/parts/login/mistakes.ts';
import '../../src/presentation/parts/mails/mails.ts';
import '../../src/presentation/parts/marks/marks.ts';
import '../../src/presentation/parts/passkeys/PasskeySignUp.tsx';
import '../../src/presentation/parts/passkeys/passkeys.ts';
import '../../src/presentation/parts/passwords/passphrase-words.ts';
import '../../src/presentation/parts/passwords/passwords.ts';
import '../../src/presentation/parts/phones/phones.ts';
import '../../src/presentation/parts/wallets/wallets.ts';
import '../../src/presentation/theme/presets/presets.ts';
