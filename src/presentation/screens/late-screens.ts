/** The screens behind the first one: loaded while the person fills it in. */
export { AuthenticateFlowComplete } from './AuthenticateFlowComplete.tsx';
export { EmailConfirmation } from './EmailConfirmation.tsx';
export { OTPAuthenticate } from './OTPAuthenticate.tsx';
export { OTPConfirmation } from './OTPConfirmation.tsx';
