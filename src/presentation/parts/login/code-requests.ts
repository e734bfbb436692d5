import type { WidgetModel } from '#application/widget/widget-model.ts';
import type { AuthError } from '#domain/errors.ts';
import type { ScreenState } from '#domain/screens/widget-state.ts';

/** The requests of a form for a code that was sent. */
export interface CodeRequests {
  /** The request in progress. */
  readonly busy: 'code' | 'resend' | 'other' | null;
  /** The error of the last code. */
  readonly codeError: AuthError | null;
  /** The error of the last request for another code. */
  readonly resendError: AuthError | null;
  /** An error that is neither of the field nor of the button for another code. */
  readonly error: AuthError | null;
  readonly onCode: (code: string) => void;
  readonly onResend: () => void;
  readonly onEdit: () => void;
}

/** The requests of a code that logs in. */
export function loginCode(model: WidgetModel, { pending, error, failed, toasts }: ScreenState): CodeRequests {
  const names = { 'otp/codeEntered': 'code', 'otp/resendRequested': 'resend' } as const;
  const isOfCode = failed === 'otp/codeEntered';
  return {
    busy: pending && (names[pending as keyof typeof names] ?? 'other'),
    codeError: isOfCode ? error : null,
    resendError: toasts.at(-1)?.error ?? null,
    error: isOfCode ? null : error,
    onCode: (code) => model.send({ type: 'otp/codeEntered', code }),
    onResend: () => model.send({ type: 'otp/resendRequested' }),
    onEdit: () => {
      if (model.getState().error !== null) model.send({ type: 'otp/codeEdited' });
    },
  };
}
