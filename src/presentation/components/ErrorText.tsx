import { errorText, type AuthError } from '../../domain/errors.ts';
import { partOf } from '../parts/loaders.ts';

/** What an error says: in our own words once they have arrived, until then in its own. */
export function ErrorText({ error }: { readonly error: AuthError }) {
  const late = partOf('emailed');
  return late === null ? <bdi data-part="said">{errorText(error)}</bdi> : <late.ErrorMessage error={error} />;
}
