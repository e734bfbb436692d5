/** The `reason` of a refusal whose message the site itself wrote for the person, in a language of its choice. */
export const OWN_WORDS = 'own_words';
