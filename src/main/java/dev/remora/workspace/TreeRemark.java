package dev.remora.workspace;

/// What unpacking found out and does not lie in the tree: kept with it as long as it holds that archive.
public interface TreeRemark {
    TreeRemark NONE = new TreeRemark() {};
}
