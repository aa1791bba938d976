#!/usr/bin/env python3
"""coco_figure.py - the share of targets over evaluations as COCO's post-processing draws it, all dimensions side by side in a small PNG

    .venv/bin/python bench/coco_figure.py coco/les/auto coco/les/cma_es coco/pycma_mirrored --out bench/figures/coco.png

The curves are those of cocopp's pprldmany over all functions: evaluations of simulated restarts, so that they go on where the budget ends,
which a cross marks; the palest is the best of 2009 that cocopp brings. All that cocopp has to say: .venv/bin/python -m cocopp FOLDER...
"""
import argparse, os, tempfile, warnings
import matplotlib
matplotlib.use("Agg")                              # before cocopp makes it open a window
from PIL import Image
from cocopp import config, genericsettings, pproc
from cocopp.compall import pprldmany


def panels(folders, out, most):
    """A PNG for each dimension that the data have."""
    genericsettings.figure_file_formats = ["png"]
    genericsettings.in_a_hurry = 0                 # 300 dots an inch, and more samples
    genericsettings.xlimit_pprldmany = most
    genericsettings.len_of_names_in_pprldmany_legend = 14         # all of a name, which then needs
    genericsettings.minmax_algorithm_fontsize = [8.8, 8.8]        # small letters to fit in
    _, order, algorithms = pproc.processInputArgs(folders)
    config.config("bbob")
    by_dim = pproc.dictAlgByDim(algorithms)
    for dim in sorted(by_dim):
        pprldmany.main(by_dim[dim], order=order, outputdir=out, info="%02dD" % dim)
        yield os.path.join(out, "pprldmany_%02dD.png" % dim)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", help="COCO data, each of one algorithm")
    parser.add_argument("--out", default="coco.png")
    parser.add_argument("--width", type=int, default=620, help="pixels of a dimension")
    parser.add_argument("--most", type=float, default=1e5, help="evaluations over the dimension at the right end")
    args = parser.parse_args()
    warnings.simplefilter("ignore")                # of archives in the net, which are not used
    with tempfile.TemporaryDirectory() as folder:
        images = [Image.open(path).convert("RGB") for path in panels(args.folders, folder, args.most)]
    height = round(args.width * images[0].height / images[0].width)
    sheet = Image.new("RGB", (args.width * len(images), height), "white")
    for k, image in enumerate(images):
        sheet.paste(image.resize((args.width, height), Image.Resampling.LANCZOS), (k * args.width, 0))
    sheet.quantize(128, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(args.out, optimize=True)     # keeps the lines' colours


if __name__ == "__main__":
    main()
