import { type FeedbackKey, type StringOverrides, overlaid } from '../../messages/catalogue.ts';
import { feedback, feedbackForPeople } from '../../messages/en/feedback.ts';

/** A sentence of the server's feedback in the widget's language if it is known, else unchanged. */
export function feedbackText(sentence: string, overrides: StringOverrides | undefined): string {
  const entry = Object.entries(feedback).find(([, english]) => english === sentence.trim());
  if (!entry) return sentence;
  const key = entry[0] as FeedbackKey;
  return overlaid(key, overrides) ?? feedbackForPeople[key] ?? sentence;
}
