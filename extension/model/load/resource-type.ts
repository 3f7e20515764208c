import { harResourceType } from '../har/resource-type.ts';
import type { ResourceType } from './load.ts';

const byInitiator: Readonly<Record<string, ResourceType>> = {
  navigation: 'document',
  iframe: 'document',
  frame: 'document',
  script: 'script',
  img: 'image',
  image: 'image',
  input: 'image',
  video: 'media',
  audio: 'media',
  track: 'media',
  fetch: 'fetch',
  xmlhttprequest: 'fetch',
  beacon: 'fetch',
};

/**
 * A resource's type from Resource Timing's initiatorType or an element's tag; if they leave it open, from its media
 * type.
 */
export function typeOfInitiator(
  initiatorType: string | undefined,
  mimeType: string | null,
): ResourceType {
  return byInitiator[initiatorType ?? ''] ?? harResourceType(null, mimeType);
}
