/** The screens behind the first one, and what errors say: loaded while the person fills in the first. */
export { ErrorMessage } from '../components/ErrorMessage.tsx';
export { Toast } from '../components/Toast.tsx';
export { AuthenticateFlowComplete } from './AuthenticateFlowComplete.tsx';
export { EmailConfirmation } from './EmailConfirmation.tsx';
export { OTPAuthenticate } from './OTPAuthenticate.tsx';
export { OTPConfirmation } from './OTPConfirmation.tsx';
