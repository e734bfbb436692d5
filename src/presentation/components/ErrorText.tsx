import { errorText, type AuthError } from '../../domain/errors.ts';
import { usePart } from '../hooks/usePart.ts';

/** The text of an error: the widget's own once the texts have arrived, the server's until then. */
export function ErrorText({ error }: { readonly error: AuthError }) {
  const part = usePart('login');
  return part === null ? <bdi data-part="said">{errorText(error)}</bdi> : <part.ErrorMessage error={error} />;
}
