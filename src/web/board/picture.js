/** Larger pictures are made smaller: boards are looked for in about half as many pixels. */
const MAX_PIXELS = 2_500_000;
const UNREADABLE = 'I can’t read that file. Send a picture, such as a screenshot.';

/**
 * Lets a page take a picture that is pasted, dropped, or chosen.
 *
 * @param {(picture: HTMLCanvasElement) => void} take @param {(error: unknown) => void} fail
 * @returns {() => void} Asks for a file.
 */
export function takePictures(take, fail) {
  const chooser = document.createElement('input');
  chooser.type = 'file';
  chooser.accept = 'image/*';
  /** @param {FileList | undefined | null} files */
  const read = (files) => {
    const file = files && [...files].find(({ type }) => type.startsWith('image/'));
    if (!file) return false;
    drawn(file).then(take, fail);
    return true;
  };
  chooser.addEventListener('change', () => {
    if (!read(chooser.files)) fail(new Error(UNREADABLE));
    chooser.value = '';
  });
  addEventListener('paste', (event) => {
    const data = event.clipboardData;
    // Office programs add a picture of the text, and browsers the address of a picture.
    const text = data?.getData('text/html') && data.getData('text/plain').trim();
    if ((!text || /^(http|data:)/.test(text)) && read(data?.files)) event.preventDefault();
  });
  // Without this, the browser would leave the page to show the file.
  addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    if (!read(event.dataTransfer.files)) fail(new Error(UNREADABLE));
  });
  return () => chooser.click();
}

/** The picture of a file, smaller if it is large. @param {File} file */
async function drawn(file) {
  const image = await createImageBitmap(file).catch(() => {
    throw new Error(UNREADABLE);
  });
  const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (image.width * image.height)));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error(UNREADABLE);
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  return canvas;
}
