/**
 * Loads beforehand what a page loads later. Otherwise a test may end while such a file is on its way, and vitest counts a file that
 * comes after its test as an error.
 */
import '#application/use-cases/passkeys/passkey-changes.ts';
import '#application/use-cases/passkeys/passkey-extensions.ts';
import '#application/use-cases/passkeys/passkey-reports.ts';
import '#application/use-cases/passkeys/passkey-creation.ts';
import '#application/use-cases/passkeys/silent-creation.ts';
import '#application/widget/effects/account/account.ts';
import '#application/widget/effects/consent/consent.ts';
import '#application/widget/effects/login-effects.ts';
import '#application/widget/effects/passkeys/passkey-offer.ts';
import '#application/widget/effects/passkeys/passkey-registration.ts';
import '#application/widget/effects/passkeys/passkey-sign-up.ts';
import '#application/widget/effects/sessions/second-factor.ts';
import '#application/widget/widget-rules.ts';
import '#composition/lazy/wire-lazy.ts';
import '#composition/wire-session.ts';
import '#presentation/components/QrCode.tsx';
import '#presentation/messages/ar/login.ts';
import '#presentation/messages/de/login.ts';
import '#presentation/messages/es/login.ts';
import '#presentation/messages/fr/login.ts';
import '#presentation/messages/ja/login.ts';
import '#presentation/messages/pt/login.ts';
import '#presentation/messages/zh/login.ts';
import '#presentation/parts/account/account.ts';
import '#presentation/parts/consent/consent.ts';
import '#presentation/parts/factors/factors.ts';
import '#presentation/parts/login/login.ts';
import '#composition/lazy/option-mistakes.ts';
import '#presentation/parts/login/mistakes.ts';
import '#presentation/parts/mails/mails.ts';
import '#presentation/parts/marks/marks.ts';
import '#presentation/parts/passkeys/PasskeySignUp.tsx';
import '#presentation/parts/passkeys/passkeys.ts';
import '#presentation/parts/passwords/passphrase-words.ts';
import '#presentation/parts/passwords/passwords.ts';
import '#presentation/parts/phones/phones.ts';
import '#presentation/parts/wallets/wallets.ts';
import '#presentation/theme/presets/presets.ts';
