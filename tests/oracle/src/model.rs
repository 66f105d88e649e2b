//! A program as a user would write it: items that use and order each other, parts, and one plan.

/// A program: its items and its plans, each named by its number.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Tasks, hooks and resources.
    pub items: Vec<Item>,
    /// The parts, each before the plans that hold it, and last the whole plan.
    pub plans: Vec<Plan>,
}

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A `#[background_task]`.
    Task,
    /// A `#[shutdown_hook]`.
    Hook,
    /// A `#[resource]`.
    Resource,
}

/// A task, a hook or a resource.
#[derive(Clone, Debug)]
pub struct Item {
    /// Which of the three.
    pub kind: Kind,
    /// The budget that was written, in milliseconds.
    pub budget: Option<u64>,
    /// The resources that it uses.
    pub uses: Vec<Use>,
    /// Whether it is a hook that runs at the drain, before every phase.
    pub at_drain: bool,
    /// Its `#[shutdown_order]`s: the side on which it stops, and the other item.
    pub orders: Vec<(Side, usize)>,
}

/// One parameter or field through which an item uses resources, given by their numbers.
#[derive(Clone, Copy, Debug)]
pub enum Use {
    /// `&A`.
    Lent(usize),
    /// `Lease<A>`.
    Leased(usize),
    /// `Option<Lease<A>>`.
    Maybe(usize),
    /// `(Lease<A>, Lease<B>)`.
    Both(usize, usize),
    /// `uses(A)`.
    Declared(usize),
}

/// On which side of another item or field one stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// After it.
    After,
    /// Before it.
    Before,
}

/// A plan or a part.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What only a whole plan has; `None` for a part.
    pub total: Option<Total>,
    /// Its fields, from the top.
    pub fields: Vec<Field>,
}

/// The times of a whole plan, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Total {
    /// What the platform grants.
    pub budget: u64,
    /// What the `preStop` hook spends.
    pub pre_stop: u64,
    /// The window before the first phase.
    pub lame_duck: u64,
    /// What is kept at the end.
    pub margin: u64,
}

/// A field of a plan.
#[derive(Clone, Debug)]
pub struct Field {
    /// What stands in it.
    pub node: Node,
    /// What `#[phase(budget)]` wrote, in milliseconds.
    pub budget: Option<u64>,
    /// The fields of its `#[shutdown_order(after = [...])]`, if written.
    pub after: Option<Vec<usize>>,
    /// The fields of its `#[shutdown_order(before = [...])]`.
    pub before: Vec<usize>,
}

/// What stands in a field.
#[derive(Clone, Debug)]
pub enum Node {
    /// The field is compiled out.
    Nothing,
    /// An item.
    Item(usize),
    /// A tuple.
    Tuple(Vec<Node>),
    /// An `Option`.
    Optional(Box<Node>),
    /// A `Vec`.
    Many(Box<Node>),
    /// A part.
    Part(usize),
}

impl Item {
    /// An item that says nothing about others.
    pub fn new(kind: Kind) -> Self {
        Self { kind, budget: None, uses: Vec::new(), at_drain: false, orders: Vec::new() }
    }

    /// The numbers of the resources that it uses.
    pub fn used(&self) -> impl Iterator<Item = usize> + '_ {
        self.uses.iter().flat_map(|each| match *each {
            Use::Lent(one) | Use::Leased(one) | Use::Maybe(one) | Use::Declared(one) => vec![one],
            Use::Both(one, other) => vec![one, other],
        })
    }
}

impl Field {
    /// A field that says nothing but what stands in it.
    pub fn new(node: Node) -> Self {
        Self { node, budget: None, after: None, before: Vec::new() }
    }
}

impl Node {
    /// The items that stand here, those inside parts left out.
    pub fn items(&self) -> Vec<usize> {
        match self {
            Self::Nothing | Self::Part(_) => Vec::new(),
            Self::Item(item) => vec![*item],
            Self::Tuple(nodes) => nodes.iter().flat_map(Self::items).collect(),
            Self::Optional(inner) | Self::Many(inner) => inner.items(),
        }
    }

    /// The parts that stand here, those inside parts left out.
    pub fn parts(&self) -> Vec<usize> {
        match self {
            Self::Nothing | Self::Item(_) => Vec::new(),
            Self::Part(part) => vec![*part],
            Self::Tuple(nodes) => nodes.iter().flat_map(Self::parts).collect(),
            Self::Optional(inner) | Self::Many(inner) => inner.parts(),
        }
    }
}

impl Program {
    /// How many members a plan holds, those of its parts counted wherever they stand.
    pub fn members(&self, plan: usize) -> usize {
        let of = |field: &Field| {
            let inside: usize = field.node.parts().iter().map(|part| self.members(*part)).sum();
            field.node.items().len() + inside
        };
        self.plans[plan].fields.iter().map(of).sum()
    }

    /// The number of the whole plan.
    pub fn root(&self) -> usize {
        self.plans.len() - 1
    }

    /// An item's name in the program.
    pub fn item_name(&self, item: usize) -> String {
        match self.items[item].kind {
            Kind::Task => format!("task_{item}"),
            Kind::Hook => format!("hook_{item}"),
            Kind::Resource => format!("Resource{item}"),
        }
    }

    /// A plan's name in the program.
    pub fn plan_name(&self, plan: usize) -> String {
        if self.plans[plan].total.is_some() { "Service".to_owned() } else { format!("Part{plan}") }
    }
}
