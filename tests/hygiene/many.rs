//! Plans of one field and of 200, and parts in parts in parts.
#![allow(dead_code)]

use shutdown_runtime::{Plan, Resource, Shutdown, background_task, resource, shutdown_plan};

#[resource(close = async |_: &Db| ())]
struct Db;

#[background_task(budget = "1ms")]
async fn step(_db: &Db, shutdown: Shutdown) {
    shutdown.requested().await;
}

#[background_task]
async fn alone(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "12s")]
struct One {
    only: alone,
}

macro_rules! plan {
    ($($phase:ident)+) => {
        #[shutdown_plan(budget = "8s")]
        struct TwoHundred {
            $($phase: step,)+
            storage: Resource<Db>,
        }
    };
}

plan! {
    p0 p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 p11 p12 p13 p14 p15 p16 p17 p18 p19
    p20 p21 p22 p23 p24 p25 p26 p27 p28 p29 p30 p31 p32 p33 p34 p35 p36 p37 p38 p39
    p40 p41 p42 p43 p44 p45 p46 p47 p48 p49 p50 p51 p52 p53 p54 p55 p56 p57 p58 p59
    p60 p61 p62 p63 p64 p65 p66 p67 p68 p69 p70 p71 p72 p73 p74 p75 p76 p77 p78 p79
    p80 p81 p82 p83 p84 p85 p86 p87 p88 p89 p90 p91 p92 p93 p94 p95 p96 p97 p98 p99
    p100 p101 p102 p103 p104 p105 p106 p107 p108 p109 p110 p111 p112 p113 p114 p115 p116 p117 p118 p119
    p120 p121 p122 p123 p124 p125 p126 p127 p128 p129 p130 p131 p132 p133 p134 p135 p136 p137 p138 p139
    p140 p141 p142 p143 p144 p145 p146 p147 p148 p149 p150 p151 p152 p153 p154 p155 p156 p157 p158 p159
    p160 p161 p162 p163 p164 p165 p166 p167 p168 p169 p170 p171 p172 p173 p174 p175 p176 p177 p178 p179
    p180 p181 p182 p183 p184 p185 p186 p187 p188 p189 p190 p191 p192 p193 p194 p195 p196 p197 p198
}

#[shutdown_plan(part)]
struct Inner {
    step: step,
}

#[shutdown_plan(part)]
struct Middle {
    inner: (Inner, step),
}

#[shutdown_plan(part)]
struct Outer {
    #[phase(budget = "1s")]
    middle: Option<Middle>,
}

#[shutdown_plan(budget = "15s")]
struct Nested {
    outer: Vec<Outer>,
    storage: Resource<Db>,
}

#[test]
fn they_are_laid_out_whole() {
    assert_eq!(One::SPEC.fields.len(), 1);
    assert_eq!(TwoHundred::SPEC.fields.len(), 200);
    assert_eq!(TwoHundred::SPEC.fields[199].rank, 200);
    // 199 steps of 1 ms and the default of a resource.
    assert_eq!(TwoHundred::SPEC.path[0], 5_199);
    let graph = Nested::graph().to_string();
    assert_eq!(graph.matches("step").count(), 2, "{graph}");
}
