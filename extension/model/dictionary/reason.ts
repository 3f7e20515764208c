/** Why a response was not compressed with a dictionary. */
export interface DictionaryReason {
  rule:
    | 'no-http'
    | 'insecure-context'
    | 'opaque-response'
    | 'from-cache'
    | 'not-registered'
    | 'invalid-offer'
    | 'cross-origin'
    | 'other-page'
    | 'registered-later'
    | 'third-party-cookies'
    | 'not-fresh'
    | 'no-match'
    | 'other-destination'
    | 'not-offered'
    | 'coding-not-accepted'
    | 'origin-chose-not';
  /** A sentence. */
  says: string;
  /** URL of the dictionary that the reason is about; absent when it is about none. */
  dictionaryUrl?: string;
}
